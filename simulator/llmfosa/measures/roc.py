"""Receiver operating characteristics and the area under them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from simulator.profile import Bools, Floats


@dataclass(frozen=True, eq=False)
class Curve:
    """A ROC curve: true positive rates over false positive rates, both rising from 0 to 1."""

    false_positive: Floats
    true_positive: Floats


def auc(scores: ArrayLike, positive: ArrayLike) -> float:
    """The probability that a positive scores above a negative, ties counting half; nan without one of the two.

    Shapes `(n,)`. Source: J. A. Hanley and B. J. McNeil, The meaning and use of the area under a ROC curve, Radiology
    143(1), 1982.
    """
    values, true = np.asarray(scores, dtype=np.float64), np.asarray(positive, dtype=np.bool_)
    positives = int(true.sum())
    negatives = len(true) - positives
    if not positives or not negatives:
        return float("nan")
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2  # of equal scores the average
    above = float(ranks[place[true]].sum()) - positives * (positives + 1) / 2
    return above / (positives * negatives)


def roc(scores: ArrayLike, positive: ArrayLike) -> Curve:
    """The curve over all thresholds, one point a distinct score; equal scores are one straight step.

    Raises:
        ValueError: there is no positive, or no negative.
    """
    values, true = np.asarray(scores, dtype=np.float64), np.asarray(positive, dtype=np.bool_)
    if true.all() or not true.any():
        raise ValueError("a ROC curve needs both positives and negatives")
    order = np.argsort(-values, kind="stable")
    hit: Bools = true[order]
    last = np.append(np.flatnonzero(np.diff(values[order])), len(hit) - 1)  # of each run of equal scores
    found, missed = np.cumsum(hit)[last], np.cumsum(~hit)[last]
    return Curve(np.append(0.0, missed / missed[-1]), np.append(0.0, found / found[-1]))


def average(curves: Sequence[Curve], points: int = 201) -> Curve:
    """The mean true positive rate of several curves at the same false positive rates, as over the folds of a test.

    Source: T. Fawcett, An introduction to ROC analysis, Pattern Recognition Letters 27, 2006 (vertical averaging).
    """
    grid = np.linspace(0, 1, points)
    # Where a curve rises straight up, interpolation takes the upper end at its place, but at 0 the curve starts.
    rates = np.mean([np.interp(grid, curve.false_positive, curve.true_positive) for curve in curves], axis=0)
    return Curve(np.append(0.0, grid), np.append(0.0, rates))
