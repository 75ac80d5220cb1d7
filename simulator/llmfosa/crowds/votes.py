"""Labels as counts: what every crowd model starts from."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.profile import Floats

MISSING = -1


def votes_of(labels: ArrayLike, n_values: int) -> Floats:
    """How often each annotator gave each value, `(n, P, A)`.

    Args:
        labels: `(n, P)` codes in 0..A-1, or `(n, P, R)` where an annotator judged a user up to R times; -1 is no label.
        n_values: A, at least 2.

    Raises:
        ValueError: a label is no such code, or the shape is another.
    """
    given = np.asarray(labels)
    if given.ndim not in (2, 3):
        raise ValueError(f"labels have the shape {given.shape}; it should be (users, annotators)")
    if n_values < 2:
        raise ValueError(f"an attribute has at least 2 values, not {n_values}")
    if not np.issubdtype(given.dtype, np.integer):
        raise ValueError(f"labels are {given.dtype}; they should be integers, -1 where there is none")
    wrong = (given < MISSING) | (given >= n_values)
    if wrong.any():
        place = tuple(int(index) for index in np.argwhere(wrong)[0])
        raise ValueError(
            f"label {given[place]} of user {place[0]} by annotator {place[1]} is not in -1..{n_values - 1}"
        )
    votes: Floats = (given[..., None] == np.arange(n_values)).astype(np.float64)
    return votes if given.ndim == 2 else votes.sum(axis=2)
