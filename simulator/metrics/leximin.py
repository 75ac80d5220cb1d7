"""Leximin welfare: the worst off first, then the next, and so on. Weights in the vote do not enter."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.profile import Floats, Ints


def leximin_vector(utilities: ArrayLike) -> Floats:
    """The utilities from the smallest to the largest, `(..., n)`: what leximin compares lexicographically.

    Source: A. Sen, Collective Choice and Social Welfare, 1970.
    """
    return np.sort(np.asarray(utilities, dtype=np.float64), axis=-1)


def leximin_compare(first: ArrayLike, second: ArrayLike) -> Ints:
    """1 where `first` is better under leximin, -1 where `second` is, 0 where they are equal; `(..., n)` to `(...)`."""
    difference = np.sign(leximin_vector(first) - leximin_vector(second)).astype(np.int64)
    if not difference.shape[-1]:
        return np.zeros(difference.shape[:-1], dtype=np.int64)
    decisive = (difference != 0).argmax(axis=-1)
    return np.asarray(np.take_along_axis(difference, decisive[..., None], axis=-1)[..., 0])


def zeros(utilities: ArrayLike) -> Ints:
    """How many have nothing at all (U_i <= 0), `(..., n)` to `(...)`; what a Nash welfare of 0 does not tell."""
    return np.asarray((np.asarray(utilities) <= 0).sum(axis=-1))


@metric("zeros", scope="collective", better="lower")
def round_zeros(view: Evaluation) -> float:
    """How many stakeholders the delivered slate is worth nothing to."""
    return float(zeros(view.slate_utilities))
