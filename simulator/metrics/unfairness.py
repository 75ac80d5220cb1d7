"""How far the stakeholders are from all getting their own ideal: as a distance, and for the one that is furthest."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.profile import Floats


def l2_unfairness(satisfaction: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """sqrt(sum_i w_i (1 - s_i)^2) over the last axis, `(..., n)` to `(...)`; in 0..1 if the weights add up to 1.

    Args:
        satisfaction: s_i, 1 = the stakeholder's ideal.
        weights: `(n,)`, taken as they are; 1/n by default.

    The weighted Euclidean distance to the ideal point of compromise programming: P. L. Yu, A class of solutions for
    group decision problems, 1973.
    """
    shortfall, weighted = _shortfall(satisfaction, weights)
    return np.asarray(np.sqrt((weighted * shortfall**2).sum(axis=-1)))


def chebyshev_unfairness(satisfaction: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """max_i w_i (1 - s_i) over the last axis, `(..., n)` to `(...)`; weights as for `l2_unfairness`.

    0 = everybody has the ideal; nan without stakeholders. The same source: the limit p = infinity of its distances.
    """
    shortfall, weighted = _shortfall(satisfaction, weights)
    if not shortfall.shape[-1]:
        return np.full(shortfall.shape[:-1], np.nan)
    return np.asarray((weighted * shortfall).max(axis=-1))


def _shortfall(satisfaction: ArrayLike, weights: ArrayLike | None) -> tuple[Floats, Floats]:
    shortfall = 1 - np.asarray(satisfaction, dtype=np.float64)
    n = shortfall.shape[-1]
    return shortfall, np.full(n, 1 / max(1, n)) if weights is None else np.asarray(weights, dtype=np.float64)


@metric("satisfaction", scope="stakeholder")
def satisfaction(view: Evaluation) -> Floats:
    """Utility of the delivered slate as a share of that of the own best slate; 1 if that is worth nothing."""
    return view.satisfaction


@metric("l2_unfairness", scope="collective", better="lower")
def round_l2_unfairness(view: Evaluation) -> float:
    """Distance of the stakeholders' satisfaction from 1, by their shares of the weight."""
    return float(l2_unfairness(view.satisfaction, view.shares))


@metric("chebyshev_unfairness", scope="collective", better="lower")
def round_chebyshev_unfairness(view: Evaluation) -> float:
    """Largest product of a stakeholder's share of the weight and what its satisfaction lacks to 1."""
    return float(chebyshev_unfairness(view.satisfaction, view.shares))
