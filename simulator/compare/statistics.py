"""Means with intervals, and paired differences with a correction for their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from simulator.profile import Floats

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over seeds.

    Attributes:
        mean, sd: of the observations; sd by n - 1, nan for a single one.
        low, high: the 95% interval of the mean by Student's t; nan for a single one.
        n: how many observations.
    """

    mean: float
    sd: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A paired difference to a baseline.

    Attributes:
        difference: its mean over the seeds that both have, with its interval.
        p: two-sided p-value of the paired t-test; nan with fewer than two pairs, 1 where all pairs are equal.
        adjusted: p after Holm's correction over all differences of a comparison.
    """

    difference: Interval
    p: float
    adjusted: float = float("nan")


def interval(values: ArrayLike) -> Interval:
    """Mean, spread and 95% interval of independent observations `(n,)`: mean +- t_{.975, n-1} sd / sqrt(n)."""
    numbers = np.asarray(values, dtype=np.float64)
    n = len(numbers)
    mean = float(numbers.mean()) if n else float("nan")
    if n < 2:
        return Interval(mean, float("nan"), float("nan"), float("nan"), n)
    from scipy.stats import t

    sd = float(numbers.std(ddof=1))
    half = float(t.ppf((1 + LEVEL) / 2, n - 1)) * sd / n**0.5
    return Interval(mean, sd, mean - half, mean + half, n)


def paired(values: ArrayLike, baseline: ArrayLike) -> Difference:
    """The paired difference of two runs' figures `(n,)` over the same seeds."""
    differences: Floats = np.asarray(values, dtype=np.float64) - np.asarray(baseline, dtype=np.float64)
    found = interval(differences)
    if found.n < 2:
        return Difference(found, float("nan"))
    if found.sd <= 1e-12 * max(1.0, abs(found.mean)):  # the same difference in every pair: no spread to test against
        return Difference(found, 1.0 if abs(found.mean) <= 1e-12 else 0.0)
    from scipy.stats import ttest_1samp

    return Difference(found, float(ttest_1samp(differences, 0.0).pvalue))


def holm(p_values: Sequence[float]) -> Floats:
    """Holm's step-down adjustment `(n,)`: max over the smaller ones of (n - rank) p, at most 1; nan stays nan.

    Source: S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6,
    1979.
    """
    p = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(len(p), np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    steps = p[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted
