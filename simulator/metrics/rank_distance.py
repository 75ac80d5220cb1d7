"""Spearman's rank correlation and footrule: how far items stand from their place in another ranking."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.profile import Floats, dense_ranks, positions


def spearman(x: ArrayLike, y: ArrayLike) -> Floats:
    """Spearman's rho: Pearson's correlation of the positions, tied items at their mean position; in -1..1.

    nan where x or y ties all items. Shapes: `(..., m)` each, tiers or values whose order alone counts, broadcast
    against each other, to `(...)`.

    Source: C. Spearman, The proof and measurement of association between two things, 1904.
    """
    first, second = _centred(x), _centred(y)
    size = np.sqrt((first**2).sum(axis=-1) * (second**2).sum(axis=-1))
    return np.where(size > 0, (first * second).sum(axis=-1) / np.where(size > 0, size, 1.0), np.nan)


def footrule(x: ArrayLike, y: ArrayLike) -> Floats:
    """Spearman's footrule: sum over items of the difference between their two positions, ties at their mean position.

    0 = the same ranking, floor(m^2 / 2) = its reverse, the most there is. Shapes as for `spearman`.

    Source: P. Diaconis and R. Graham, Spearman's footrule as a measure of disarray, 1977.
    """
    return np.asarray(np.abs(_centred(x) - _centred(y)).sum(axis=-1))


def _centred(values: ArrayLike) -> Floats:
    """Positions less their mean; positions of values are counted from the smallest."""
    given = np.asarray(values, dtype=np.float64)
    return np.asarray(positions(dense_ranks(-given)) - (given.shape[-1] + 1) / 2)


@metric("spearman", scope="stakeholder")
def round_spearman(view: Evaluation) -> Floats:
    """Spearman's rho between the stakeholder's last ballot and the collective ranking, ties kept on both sides.

    nan for a stakeholder that abstains, and for all when every item is tied.
    """
    return spearman(view.ranks, view.tiers)


@metric("footrule", scope="stakeholder", better="lower")
def round_footrule(view: Evaluation) -> Floats:
    """Spearman's footrule between the last ballot and the collective ranking, over its largest value; in 0..1.

    nan for a stakeholder that abstains.
    """
    m = view.ranks.shape[1]
    return np.where(view.ranked, footrule(view.ranks, view.tiers) / max(1, m * m // 2), np.nan)
