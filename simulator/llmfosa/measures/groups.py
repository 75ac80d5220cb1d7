"""Accuracy by group, and the gap between the best and the worst served."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from simulator.profile import Floats, Ints


@dataclass(frozen=True, eq=False)
class Groups:
    """A measure by group.

    Attributes:
        means: `(A,)`; nan for a group without users that have the measure.
        counts: `(A,)` users that have it.
        gap: the largest mean less the smallest; nan with fewer than two groups.
    """

    means: Floats
    counts: Ints
    gap: float


def by_group(per_user: ArrayLike, groups: ArrayLike, n_groups: int | None = None) -> Groups:
    """Means of a measure `(n,)` over groups `(n,)`; users with group -1 or measure nan are left out.

    `n_groups` is one more than the largest code by default.

    Raises:
        ValueError: the shapes differ, or a code is not below n_groups.
    """
    values, codes = np.asarray(per_user, dtype=np.float64), np.asarray(groups, dtype=np.int64)
    if values.shape != codes.shape or values.ndim != 1:
        raise ValueError(f"a measure of shape {values.shape} does not fit groups of shape {codes.shape}")
    size = int(codes.max(initial=-1)) + 1 if n_groups is None else n_groups
    if codes.max(initial=-1) >= size:
        raise ValueError(f"group {codes.max()} is not below the number of groups, {size}")
    known = (codes >= 0) & ~np.isnan(values)
    counts = np.bincount(codes[known], minlength=size)
    totals = np.bincount(codes[known], weights=values[known], minlength=size)
    means = np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)
    shown = means[counts > 0]
    return Groups(means, counts.astype(np.int64), float(np.ptp(shown)) if len(shown) > 1 else float("nan"))
