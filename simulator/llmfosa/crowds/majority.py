"""The majority's vote: every annotator counts alike."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.llmfosa.crowds.votes import MISSING, votes_of
from simulator.profile import Floats, Ints


def majority(labels: ArrayLike, n_values: int, seed: int = 0) -> tuple[Floats, Ints]:
    """Shares of the votes `(n, A)` and the value with most votes `(n,)`.

    Ties are drawn by seed. Where nobody voted the shares are uniform and the label is -1.

    Raises:
        ValueError: a label is not in -1..A-1.
    """
    votes = votes_of(labels, n_values)
    total = votes.sum(axis=1)
    most = total.max(axis=1, keepdims=True)
    draw = np.random.default_rng(seed).random(total.shape)  # in [0, 1): it parts equal counts and no others
    winners = np.where(total == most, draw, -1.0).argmax(axis=1)
    return shares(votes), np.where(most[:, 0] > 0, winners, MISSING)


def shares(votes: Floats) -> Floats:
    """Shares of the votes `(n, A)` for counts `(n, P, A)`, uniform where there is none."""
    total = votes.sum(axis=1)
    cast = total.sum(axis=1, keepdims=True)
    return np.asarray(np.where(cast > 0, total / np.where(cast > 0, cast, 1.0), 1 / votes.shape[2]))
