"""Calibration: does a slate mix the kinds of items as a stakeholder's own best items do?"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.metrics.parameters import Count, GroupColumn, NumberColumn, OpenShare
from simulator.profile import Floats, Ints

HEAD = TAIL = 0.2


def steck_kl(wanted: ArrayLike, got: ArrayLike, alpha: float = 0.01) -> Floats:
    """KL(p || (1 - a) q + a p), natural logarithm, over the last axis `(..., G)`; at least 0, 0 = calibrated.

    p = `wanted`, q = `got`, distributions over kinds; a little of p in q keeps the divergence finite, at most -ln a.
    nan where p or q is not known. Source: H. Steck, Calibrated recommendations, RecSys 2018.
    """
    p, q = np.asarray(wanted, dtype=np.float64), np.asarray(got, dtype=np.float64)
    return _divergence(p, (1 - alpha) * q + alpha * p)


def jensen_shannon(p: ArrayLike, q: ArrayLike) -> Floats:
    """Jensen-Shannon divergence (KL(p || m) + KL(q || m)) / 2, m = (p + q) / 2, base 2, over the last axis; in 0..1.

    It is the divergence, not its square root. Source: J. Lin, Divergence measures based on the Shannon entropy, 1991.
    """
    first, second = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
    middle = (first + second) / 2
    return np.asarray((_divergence(first, middle) + _divergence(second, middle)) / (2 * np.log(2)))


def _divergence(p: Floats, q: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(p > 0, p * np.log(p / q), p * 0.0)
    return np.asarray(np.maximum(terms.sum(axis=-1), 0.0))


def distribution(codes: ArrayLike, members: ArrayLike, count: int) -> Floats:
    """Share `(..., G)` of each kind among the members; items without a kind (-1) are left out, nan if all are.

    Shapes: codes `(m,)`, members `(..., m)` as booleans.
    """
    kinds: Ints = np.asarray(codes, dtype=np.int64)
    held = np.asarray(members, dtype=np.float64) @ (kinds[:, None] == np.arange(count))
    total = held.sum(axis=-1, keepdims=True)
    return np.where(total > 0, held / np.where(total > 0, total, 1.0), np.nan)


def popularity_tiers(popularity: ArrayLike, head: float = HEAD, tail: float = TAIL) -> Ints:
    """Tier `(N,)` of every item by its popularity: 0 head, 1 mid, 2 tail; -1 where it is unknown (nan).

    The `head` share of the known items with the largest popularity, and the `tail` share with the smallest, both
    rounded to whole items; equal popularity is ordered by the items' order.
    """
    values = np.asarray(popularity, dtype=np.float64)
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.argsort(-values[known], kind="stable")]
    tiers = np.full(len(values), -1, dtype=np.int64)
    tiers[order] = 1
    tiers[order[: round(head * len(order))]] = 0
    tiers[order[len(order) - round(tail * len(order)) :]] = 2
    return tiers


def _slate_members(view: Evaluation) -> Floats:
    members = np.zeros(view.utilities.shape[1])
    members[view.slate] = 1
    return members


@metric("calibration", scope="stakeholder", better="lower")
def round_calibration(
    view: Evaluation, *, by: GroupColumn, alpha: OpenShare = 0.01, profile: Count | None = None
) -> Floats:
    """Steck's divergence between the kinds of the stakeholder's own best `profile` candidates (k) and of the slate.

    nan where none of them has a kind.
    """
    groups = view.items.groups(by)
    count = len(groups.names)
    wanted = distribution(groups.codes, view.own_best(profile), count)
    return steck_kl(wanted, distribution(groups.codes, _slate_members(view), count), alpha)


@metric("popularity_calibration", scope="stakeholder", better="lower")
def round_popularity_calibration(view: Evaluation, *, popularity: NumberColumn, profile: Count | None = None) -> Floats:
    """Jensen-Shannon divergence of head, mid and tail items between the own best `profile` candidates and the slate.

    In 0..1. Head and tail are the top and the bottom fifth of the catalogue by the column `popularity`.
    """
    tiers = popularity_tiers(view.items.columns.numbers(popularity))[view.items.rows]
    return jensen_shannon(distribution(tiers, view.own_best(profile), 3), distribution(tiers, _slate_members(view), 3))
