"""Which points no other point beats."""

from __future__ import annotations

import numpy as np

from simulator.profile import Bools, Floats


def on_front(first: Floats, second: Floats) -> Bools:
    """Whether no other point is at least as good in both and better in one, `(n,)`; larger is better in both."""
    at_least = (first[:, None] >= first) & (second[:, None] >= second)
    better = (first[:, None] > first) | (second[:, None] > second)
    return np.asarray(~(at_least & better).any(axis=0))
