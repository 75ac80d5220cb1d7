"""Kendall's distance: how many pairs of items two rankings order differently, with ties and for top-k lists."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.metrics.kendall_tau import pair_blocks, pair_dot, pair_signs
from simulator.metrics.parameters import Share
from simulator.profile import Floats


def kendall_distance(x: ArrayLike, y: ArrayLike, penalty: float = 0.5) -> Floats:
    """K^(p): pairs that x and y order oppositely, and `penalty` p for every pair that just one of them ties.

    0 = the same ranking; m (m - 1) / 2 = the reverse of a ranking without ties. For p < 1/2 the triangle inequality may
    fail.

    Shapes: tiers or positions `(..., m)`, smaller is better, broadcast against each other, to `(...)`. Time grows with
    m^2; memory stays bounded.

    Sources: M. G. Kendall, A new measure of rank correlation, 1938; R. Fagin et al., Comparing and aggregating rankings
    with ties, PODS 2004.
    """
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    m = first.shape[-1]
    shape = np.broadcast_shapes(first.shape, second.shape)[:-1]
    distance = np.zeros(shape)
    for rows in pair_blocks(shape, m):
        signs_x, signs_y = pair_signs(first, rows), pair_signs(second, rows)
        untied_x, untied_y = np.abs(signs_x), np.abs(signs_y)
        both = pair_dot(untied_x, untied_y)
        opposite = (both - pair_dot(signs_x, signs_y)) / 2
        one = untied_x.sum(axis=-1) + untied_y.sum(axis=-1) - 2 * both
        distance += (opposite + penalty * one) / 2  # every pair stands in both orders
    return distance


def top_k_distance(first: Sequence[Hashable], second: Sequence[Hashable], penalty: float = 0.5) -> float:
    """Fagin's K^(p) of two top-k lists, best first: the distance on the items that at least one of them lists.

    What a list leaves out is tied below what it lists. p = 0 is the optimistic distance, p = 1/2 the neutral one; lists
    of k items without a common one are k^2 + p k (k - 1) apart.

    Source: R. Fagin, R. Kumar and D. Sivakumar, Comparing top k lists, 2003.
    """
    items = {item: at for at, item in enumerate(dict.fromkeys([*first, *second]))}
    tiers = np.full((2, len(items)), len(items))
    for row, ranked in zip(tiers, (first, second), strict=True):
        row[[items[item] for item in ranked]] = np.arange(len(ranked))
    return float(kendall_distance(tiers[0], tiers[1], penalty))


def normalised_kendall_distance(x: ArrayLike, y: ArrayLike, penalty: float = 0.5) -> Floats:
    """The distance over the number of pairs m (m - 1) / 2, in 0..1; 0 for less than two items."""
    m = np.asarray(x).shape[-1]
    return np.asarray(kendall_distance(x, y, penalty) / max(1, m * (m - 1) / 2))


@metric("kendall_distance", scope="stakeholder", better="lower")
def round_kendall_distance(view: Evaluation, *, penalty: Share = 0.5) -> Floats:
    """Share of the pairs of items that the last ballot and the collective ranking order differently, ties by `penalty`.

    In 0..1; nan for a stakeholder that abstains.
    """
    distance = normalised_kendall_distance(view.ranks, view.tiers, penalty)
    return np.where(view.ranked, distance, np.nan)


@metric("agreement_surplus", scope="stakeholder")
def agreement_surplus(view: Evaluation) -> Floats:
    """Share of the pairs of items that the outcome orders as the stakeholder does, less its share of the weight.

    At least 0: the stakeholder gets the part of the outcome that its weight stands for. nan if it abstains.
    A pair that one of the two ties counts half. That every ranking get at least its weight's share of pairwise
    agreements is the proportionality of arXiv 2508.16177.
    """
    agreement = 1 - normalised_kendall_distance(view.ranks, view.tiers)
    return np.where(view.ranked, agreement - view.shares, np.nan)
