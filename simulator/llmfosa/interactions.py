"""Who interacted with what: the data of a recommender, split once, with the attributes of its users."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = Any  # scipy.sparse.csr_array, which has no types


@dataclass(frozen=True)
class UserAttribute:
    """One attribute of the users, such as gender or an age band.

    Attributes:
        values: The values by name, in the order of their codes.
        codes: `(n,)` integers, the position of each user's value in `values`; -1 where it is not known.
    """

    values: tuple[str, ...]
    codes: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Interactions:
    """Interactions of n users with m items in three parts, and what is known of both.

    Attributes:
        name: Where they come from, such as "ml-1m".
        users: The n user ids of the source.
        items: The m item ids of the source.
        train: `(n, m)` sparse CSR matrix with sorted indices, float32 strengths > 0: ratings, or 1 without them.
        valid: As train; what early stopping looks at.
        test: As train; looked at once, at the end. No pair of user and item stands in two of the three.
        titles: m titles in words; the ids where there are none.
        genres: For every item its genres (empty where none are known).
        attributes: The users' attributes by name; for evaluation, and for methods that say they use true labels.
        times: As train with the seconds of each interaction, or None.
    """

    name: str
    users: tuple[str, ...]
    items: tuple[str, ...]
    train: Matrix
    valid: Matrix
    test: Matrix
    titles: tuple[str, ...] = ()
    genres: tuple[tuple[str, ...], ...] = ()
    attributes: Mapping[str, UserAttribute] = field(default_factory=dict)
    times: Matrix | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of users and items."""
        return len(self.users), len(self.items)
