"""Kendall's tau with more weight on the top of the rankings."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.metrics.kendall_tau import pair_signs
from simulator.profile import Floats


def weighted_tau(x: ArrayLike, y: ArrayLike) -> Floats:
    """Vigna's weighted tau with additive hyperbolic weights; larger values stand further up; in -1..1.

    tau = sum w s_x s_y / sqrt(sum w s_x^2 sum w s_y^2) over pairs, s = sign of the difference, w = 1/(r_a + 1) +
    1/(r_b + 1) with ranks r from 0 by falling (x, y); the result is the mean with that by falling (y, x). nan where x
    or y ties all items. Shapes: `(..., m)` each, to `(...)`; memory grows with m^2.

    Source: S. Vigna, A weighted correlation index for rankings with ties, WWW 2015 (scipy.stats.weightedtau).
    """
    first, second = np.broadcast_arrays(np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64))
    return np.asarray((_by_rank(first, second) + _by_rank(second, first)) / 2)


def _by_rank(x: Floats, y: Floats) -> Floats:
    m = x.shape[-1]
    order = np.lexsort((y, x))[..., ::-1]
    weight = np.empty(x.shape)
    np.put_along_axis(weight, order, np.broadcast_to(1 / np.arange(1.0, m + 1), x.shape), axis=-1)
    every = slice(0, m)
    pairs = (weight[..., :, None] + weight[..., None, :]).reshape(*x.shape[:-1], -1)
    signs_x, signs_y = pair_signs(x, every), pair_signs(y, every)
    size = np.sqrt((pairs * signs_x**2).sum(axis=-1) * (pairs * signs_y**2).sum(axis=-1))
    return np.where(size > 0, (pairs * signs_x * signs_y).sum(axis=-1) / np.where(size > 0, size, 1.0), np.nan)


@metric("weighted_tau", scope="stakeholder")
def round_weighted_tau(view: Evaluation) -> Floats:
    """Weighted tau between the stakeholder's last ballot and the collective ranking: the top counts most.

    nan for a stakeholder that abstains, and for all when every item is tied.
    """
    return weighted_tau(-view.ranks, -view.tiers)
