"""Whether groups are shown different items: demographic parity and equal opportunity as Jensen-Shannon distances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from simulator.llmfosa.measures.ranking import hits
from simulator.llmfosa.measures.top import Matrix
from simulator.profile import Bools, Floats, Ints

CELLS = 4_000_000  # counts held at once


@dataclass(frozen=True, eq=False)
class Floor:
    """What a disparity is where groups mean nothing: its values with the users' labels permuted.

    Finite numbers of users make it larger than 0, so a method can come close to it but hardly below.

    Attributes:
        mean: over the permutations.
        low, high: their 2.5% and 97.5% quantiles.
        values: `(permutations,)`.
    """

    mean: float
    low: float
    high: float
    values: Floats


def js_distance(distributions: ArrayLike) -> Floats:
    """Jensen-Shannon distance sqrt(H(mean of p_g) - mean of H(p_g)) with the natural logarithm, `(...)`.

    Shapes: `(..., G, m)` non-negative weights, each row is divided by its sum. Two rows give SciPy's distance; more
    give its generalisation with equal weights, at most sqrt(log G). Rows of zeros are no distribution and left out; nan
    where fewer than two are left.

    Source: J. Lin, Divergence measures based on the Shannon entropy, IEEE Transactions on Information Theory 37, 1991.
    """
    weights = np.asarray(distributions, dtype=np.float64)
    sums = weights.sum(axis=-1, keepdims=True)
    shown = sums[..., 0] > 0
    p = weights / np.where(sums > 0, sums, 1.0)
    count = shown.sum(axis=-1)
    several = np.maximum(count, 1)
    mixture = p.sum(axis=-2) / several[..., None]
    divergence = _entropy(mixture) - _entropy(p).sum(axis=-1) / several
    return np.asarray(np.where(count >= 2, np.sqrt(np.maximum(divergence, 0.0)), np.nan))


def demographic_parity(top: Ints, groups: ArrayLike, n_items: int) -> float:
    """DP@k: Jensen-Shannon distance between how often each group is shown each item; 0 is parity.

    Args:
        top: `(n, k)` items; -1 where there is none. Take the first K columns for DP@K.
        groups: `(n,)` codes; users with -1 are left out.
        n_items: m.

    Returns:
        The distance, at most sqrt(log 2) = .833 for two groups; nan with fewer than two groups.

    Source: C. Zhao et al., Fair representation learning for recommendation: a mutual information perspective, AAAI
    2023, whose code takes the distance (the square root), not the divergence.
    """
    return _Shown.of(top, top >= 0, groups, n_items).distance()


def equal_opportunity(top: Ints, test: Matrix, groups: ArrayLike, n_items: int) -> float:
    """EO@k: as `demographic_parity` for the recommended items that are among their user's test items `(n, m)`."""
    return _Shown.of(top, hits(top, test), groups, n_items).distance()


def floor(
    top: Ints, groups: ArrayLike, n_items: int, *, test: Matrix | None = None, permutations: int = 100, seed: int = 0
) -> Floor:
    """Demographic parity, or equal opportunity where test items are given, with the labels of the users permuted.

    Users whose group is not known stay out. The number of users in each group stays as it is.

    Raises:
        ValueError: there is no permutation.
    """
    if permutations < 1:
        raise ValueError(f"{permutations} permutations; there should be at least 1")
    shown = _Shown.of(top, top >= 0 if test is None else hits(top, test), groups, n_items)
    draw = np.random.default_rng(seed)
    size = max(1, CELLS // max(1, shown.n_groups * n_items))
    labels = np.array([draw.permutation(shown.labels) for _ in range(permutations)])
    values = np.concatenate([shown.distances(labels[start : start + size]) for start in range(0, permutations, size)])
    if np.isnan(values).any():  # some permutation leaves a group without an item
        return Floor(float("nan"), float("nan"), float("nan"), values)
    low, high = np.quantile(values, [0.025, 0.975])
    return Floor(float(values.mean()), float(low), float(high), values)


@dataclass(frozen=True, eq=False)
class _Shown:
    """Which items were shown to users of known groups: pairs of user and item, and the users' groups."""

    labels: Ints  # (users,) in 0..n_groups-1, without gaps
    users: Ints  # (pairs,)
    items: Ints  # (pairs,)
    n_groups: int
    n_items: int

    @classmethod
    def of(cls, top: Ints, counted: Bools, groups: ArrayLike, n_items: int) -> _Shown:
        codes = np.asarray(groups, dtype=np.int64)
        if codes.shape != (len(top),):
            raise ValueError(f"{len(top)} rows of recommendations do not fit groups of shape {codes.shape}")
        if top.max(initial=-1) >= n_items:
            raise ValueError(f"item {top.max()} is recommended, but there are {n_items} items")
        known = codes >= 0
        present, labels = np.unique(codes[known], return_inverse=True)
        users, places = np.nonzero(counted[known])
        return cls(labels.astype(np.int64), users, top[known][users, places], len(present), n_items)

    def distance(self) -> float:
        return float(self.distances(self.labels[None])[0])

    def distances(self, labels: Ints) -> Floats:
        """Jensen-Shannon distances `(b,)` for b labellings `(b, users)`."""
        cells = self.n_groups * self.n_items
        offsets = np.arange(len(labels))[:, None] * cells
        keys = labels[:, self.users] * self.n_items + self.items + offsets
        counts = np.bincount(keys.ravel(), minlength=len(labels) * cells)
        return js_distance(counts.reshape(len(labels), self.n_groups, self.n_items))


def _entropy(p: Floats) -> Floats:
    """-sum p log p over the last axis, with 0 log 0 = 0."""
    return np.asarray(-(p * np.log(np.where(p > 0, p, 1.0))).sum(axis=-1))
