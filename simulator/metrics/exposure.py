"""Exposure of groups of items in a ranking: who gets the attention that falls with every place?

`order` `(..., q)` holds item indices, best first; `groups` `(m,)` the items' groups as codes from 0, -1 for items that
belong to none (they take their places, and nobody's account). An item that the order leaves out has no exposure.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.metrics.inequality import min_max_ratio
from simulator.metrics.parameters import Count, GroupColumn
from simulator.profile import Floats, Ints


def item_exposure(order: ArrayLike, m: int) -> Floats:
    """Exposure `(..., m)` of every item: 1 / log2(1 + place), places from 1; 0 if it is not in the order.

    Source: A. Singh and T. Joachims, Fairness of exposure in rankings, KDD 2018, with the discount of DCG.
    """
    shown: Ints = np.asarray(order, dtype=np.int64)
    exposure = np.zeros((*shown.shape[:-1], m))
    discount = np.broadcast_to(1 / np.log2(np.arange(2, shown.shape[-1] + 2)), shown.shape)
    np.put_along_axis(exposure, shown, discount, axis=-1)
    return exposure


def group_means(values: ArrayLike, groups: ArrayLike, count: int | None = None) -> Floats:
    """Mean `(..., G)` over the items of every group of `values` `(..., m)`; nan for a group without items."""
    given, codes = np.asarray(values, dtype=np.float64), np.asarray(groups, dtype=np.int64)
    member = codes[:, None] == np.arange(count if count is not None else codes.max(initial=-1) + 1)
    sizes = member.sum(axis=0)
    return np.where(sizes > 0, given @ member / np.maximum(sizes, 1), np.nan)


def group_exposure(order: ArrayLike, groups: ArrayLike, count: int | None = None) -> Floats:
    """Mean exposure `(..., G)` of the items of every group: (1/|G|) sum_{a in G} 1 / log2(1 + place of a)."""
    codes = np.asarray(groups, dtype=np.int64)
    return group_means(item_exposure(order, len(codes)), codes, count)


def demographic_parity(order: ArrayLike, groups: ArrayLike) -> Floats:
    """Smallest over largest mean exposure of a group, `(...)`, in 0..1; 1 = parity; nan without groups."""
    return _ratio(group_exposure(order, groups))


def disparate_treatment(order: ArrayLike, groups: ArrayLike, merit: ArrayLike) -> Floats:
    """Smallest over largest ratio of a group's mean exposure to its mean merit, `(...)`, in 0..1; 1 = by merit.

    Groups without merit are left out; `merit` `(m,)` of at least 0.
    """
    worth = group_means(merit, groups)
    exposure = group_exposure(order, groups)
    return _ratio(np.where(worth > 0, exposure / np.where(worth > 0, worth, 1.0), np.nan))


def _ratio(values: Floats) -> Floats:
    """Smallest over largest of the values that are known; the same ones along the whole batch."""
    known = ~np.isnan(values).any(axis=tuple(range(values.ndim - 1)))
    return min_max_ratio(values[..., known])


@metric("group_exposure", scope="group", better="neither")
def round_group_exposure(view: Evaluation, *, by: GroupColumn, group: str = "", at: Count | None = None) -> float:
    """Mean exposure 1 / log2(1 + place) of the candidates of a group in the collective ranking, or in its first `at`.

    nan where no candidate is of the group.
    """
    found = view.items.groups(by)
    means = group_exposure(view.order[:at], found.codes, len(found.names))
    return float(means[found.names.index(group)]) if group in found.names else float("nan")


@metric("demographic_parity", scope="collective")
def round_demographic_parity(view: Evaluation, *, by: GroupColumn, at: Count | None = None) -> float:
    """Smallest over largest mean exposure of the groups among the candidates, in the ranking or in its first `at`."""
    return float(demographic_parity(view.order[:at], view.items.groups(by).codes))


@metric("disparate_treatment", scope="collective")
def round_disparate_treatment(view: Evaluation, *, by: GroupColumn, at: Count | None = None) -> float:
    """Smallest over largest ratio of a group's mean exposure to its merit, the weighted mean utility of its items."""
    return float(disparate_treatment(view.order[:at], view.items.groups(by).codes, view.shares @ view.utilities))


@metric("cumulative_demographic_parity", scope="collective", horizon="cumulative")
def cumulative_demographic_parity(view: Evaluation, *, by: GroupColumn) -> float:
    """Smallest over largest mean exposure of the catalogue's groups in all slates delivered so far."""
    groups = view.items.groups(by).catalogue
    return float(_ratio(group_means(view.history.exposure, groups)))
