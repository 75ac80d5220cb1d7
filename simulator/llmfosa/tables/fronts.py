"""Two methods' fronts of accuracy and disparity against each other, at equal accuracy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from simulator.compare.pareto import on_front
from simulator.compare.statistics import Difference, holm, paired
from simulator.profile import Bools, Floats

GRID = 11


@dataclass(frozen=True, eq=False)
class FrontDifference:
    """How much less (below 0) or more disparity one method has than another, at equal accuracy.

    Attributes:
        quality: `(g,)` the accuracies at which they were compared.
        at: for each of them the paired difference over the seeds in which both methods reach it, with Holm's p.
        overall: of each seed's mean over the accuracies that both methods reach in every seed.
        compared: `(g,)` whether an accuracy counts in `overall`.
    """

    quality: Floats
    at: tuple[Difference, ...]
    overall: Difference
    compared: tuple[bool, ...]

    @property
    def lower(self) -> bool:
        """Whether the first method's disparity is lower, outside the 95% interval of the overall difference."""
        return self.overall.difference.high < 0


def difference_at(
    first: Mapping[int, ArrayLike],
    second: Mapping[int, ArrayLike],
    quality: ArrayLike | None = None,
    *,
    within: float = 0.003,
) -> FrontDifference:
    """Differences of disparity, first - second, interpolated at equal accuracy and paired by seed.

    A seed's points over the fairness weight are cut to its Pareto front (no other point is as accurate with less
    disparity), which is interpolated linearly. An accuracy up to `within` beyond an end of a front counts as its end:
    there the methods are that close in accuracy, not equal. Further out a method has no value.

    Args:
        first, second: for every seed points `(w, 2)` of accuracy (higher is better) and disparity (lower is better),
            as `Results.front` gives them; seeds that only one of them has are left out.
        quality: the accuracies; by default 11 even steps through what both methods reach in every seed.
        within: how far beyond an end of its front a method may be asked.

    Raises:
        ValueError: points are no pairs of finite numbers, or within is negative.
    """
    if not 0 <= within < np.inf:
        raise ValueError(f"within is {within}; it should be at least 0")
    seeds = [seed for seed in first if seed in second]
    fronts = [[_front(points[seed]) for seed in seeds] for points in (first, second)]
    asked = _shared([*fronts[0], *fronts[1]], within) if quality is None else np.asarray(quality, dtype=np.float64)
    one, other = (
        np.array([_interpolated(front, asked, within) for front in each]).reshape(len(seeds), len(asked))
        for each in fronts
    )
    gaps: Floats = one - other
    pairs = [gap[~np.isnan(gap)] for gap in gaps.T]
    found = [paired(gap, np.zeros(len(gap))) for gap in pairs]
    adjusted = holm([each.p for each in found])
    everywhere: Bools = np.asarray(~np.isnan(gaps).any(axis=0) & bool(seeds))
    means = gaps[:, everywhere].mean(axis=1) if everywhere.any() else np.empty(0)
    overall = paired(means, np.zeros(len(means)))
    return FrontDifference(
        asked,
        tuple(replace(each, adjusted=float(p)) for each, p in zip(found, adjusted, strict=True)),
        replace(overall, adjusted=overall.p),
        tuple(everywhere.tolist()),
    )


def _front(points: ArrayLike) -> Floats:
    """The Pareto front of points `(w, 2)` by rising accuracy, and so by rising disparity."""
    given = np.asarray(points, dtype=np.float64)
    if given.ndim != 2 or given.shape[1] != 2 or not len(given) or not np.isfinite(given).all():
        raise ValueError(f"a front is pairs of finite accuracy and disparity, not an array of shape {given.shape}")
    best = np.unique(given[on_front(given[:, 0], -given[:, 1])], axis=0)
    return np.asarray(best)


def _shared(fronts: list[Floats], within: float) -> Floats:
    """Even steps through the accuracies that all fronts reach; the middle where they only come close; else none."""
    if not fronts:
        return np.empty(0)
    low, high = max(front[0, 0] for front in fronts), min(front[-1, 0] for front in fronts)
    if low <= high:
        return np.linspace(low, high, GRID) if low < high else np.array([low])
    return np.array([(low + high) / 2]) if (low - high) / 2 <= within else np.empty(0)


def _interpolated(front: Floats, quality: Floats, within: float) -> Floats:
    reached = (quality >= front[0, 0] - within - 1e-12) & (quality <= front[-1, 0] + within + 1e-12)
    return np.where(reached, np.interp(quality, front[:, 0], front[:, 1]), np.nan)
