"""Attention-weighted rank fairness (AWRF): do groups get the share of attention that a target gives them?"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.metrics.exposure import group_means
from simulator.metrics.parameters import Count, GroupColumn, OpenShare
from simulator.profile import Floats, Ints

Attention = Literal["geometric", "log"]


def attention(places: int, kind: Attention = "geometric", p: float = 0.5) -> Floats:
    """Attention `(places,)` from the top: p (1 - p)^(place - 1), or 1 / log2(1 + place); places from 1, not scaled."""
    place = np.arange(1.0, places + 1)
    return np.asarray(p * (1 - p) ** (place - 1) if kind == "geometric" else 1 / np.log2(1 + place))


def group_attention(
    order: ArrayLike, groups: ArrayLike, count: int, kind: Attention = "geometric", p: float = 0.5
) -> Floats:
    """Share `(G,)` of the attention that goes to each of `count` groups; adds up to 1, nan if nobody has any.

    Args:
        order: `(q,)` item indices, best first.
        groups: `(m,)` codes from 0; items of no group (-1) count for none.
    """
    shown: Ints = np.asarray(order, dtype=np.int64)
    codes = np.asarray(groups, dtype=np.int64)[shown]
    weights = attention(len(shown), kind, p)
    received = np.bincount(codes[codes >= 0], weights=weights[codes >= 0], minlength=count)
    total = received.sum()
    return received / total if total > 0 else np.full(count, np.nan)


def awrf(received: ArrayLike, target: ArrayLike) -> Floats:
    """1 - sum_g |e_g - t_g| / 2, `(..., G)` to `(...)`, in 0..1: 1 = every group has its target share of attention.

    Sources: P. Sapiezynski et al., Quantifying the impact of user attention on fair group representation in ranked
    lists, WWW 2019; A. Raj and M. Ekstrand, Measuring fairness in ranked results, SIGIR 2022. The distance is the total
    variation.
    """
    distance = np.abs(np.asarray(received, dtype=np.float64) - np.asarray(target, dtype=np.float64)).sum(axis=-1) / 2
    return np.asarray(1 - distance)


def mean_attention(order: ArrayLike, groups: ArrayLike, p: float) -> Floats:
    """Mean `(G,)` over a group's items of 100 p (1 - p)^(place - 1), the convention of FairRankTune."""
    shown: Ints = np.asarray(order, dtype=np.int64)
    codes = np.asarray(groups, dtype=np.int64)
    received = np.zeros(len(codes))
    received[shown] = 100 * attention(len(shown), "geometric", p)
    return group_means(received, codes)


def shares_of(groups: ArrayLike, count: int) -> Floats:
    """Share `(G,)` of the items of each group among those that have one; nan if none has."""
    codes = np.asarray(groups, dtype=np.int64)
    sizes = np.bincount(codes[codes >= 0], minlength=count)
    return sizes / sizes.sum() if sizes.sum() else np.full(count, np.nan)


@metric("awrf", scope="collective")
def round_awrf(
    view: Evaluation, *, by: GroupColumn, kind: Attention = "geometric", p: OpenShare = 0.5, at: Count | None = None
) -> float:
    """Attention-weighted rank fairness of the collective ranking; the target is the groups' share of the candidates.

    In 0..1. nan where no candidate has a group.
    """
    found = view.items.groups(by)
    count = len(found.names)
    return float(awrf(group_attention(view.order[:at], found.codes, count, kind, p), shares_of(found.codes, count)))
