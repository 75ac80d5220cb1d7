"""The ballots of agents that stand for protected items, as utilities over the candidates; from SCRUF-D."""

from __future__ import annotations

import numpy as np

from simulator.profile import Bools, Floats


def binary_ballot(protected: Bools, delta: float = 1.0) -> Floats:
    """`delta` for a protected item and 0 for any other, `(..., m)`."""
    return np.where(protected, delta, 0.0)


def cascade_ballot(scores: Floats, protected: Bools, delta: float = 1.0) -> Floats:
    """Protected items first, and inside both groups the order of the base recommender's scores, `(..., m)`.

    delta (s - min s) / (max s - min s) / 2, plus delta for a protected item; equal scores count as the lowest.
    """
    least, most = scores.min(axis=-1, keepdims=True), scores.max(axis=-1, keepdims=True)
    scaled = (scores - least) / np.where(most > least, most - least, 1.0)
    return np.asarray(delta * scaled / 2 + binary_ballot(protected, delta))
