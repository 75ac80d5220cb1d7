"""NDKL: how far the groups' shares in the prefixes of a ranking are from a target, the top prefixes counting most."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.attention import shares_of
from simulator.metrics.base import Evaluation, metric
from simulator.metrics.parameters import Count, GroupColumn
from simulator.profile import Ints


def ndkl(order: ArrayLike, groups: ArrayLike, target: ArrayLike | None = None) -> float:
    """(1/Z) sum_i KL(D_i || target) / log2(i + 1), D_i the groups' shares among the first i, Z = sum_i 1 / log2(i + 1).

    Natural logarithm, no smoothing; at least 0, 0 = every prefix has the target shares; infinite if a group that the
    target gives nothing appears.

    Args:
        order: `(q,)` item indices, best first.
        groups: `(m,)` codes from 0; items of no group (-1) are passed over.
        target: `(G,)` shares; those of all items by default.

    Returns:
        nan if no item of the order has a group.

    Source: S. C. Geyik, S. Ambler and K. Kenthapadi, Fairness-aware ranking in search and recommendation systems with
    application to LinkedIn talent search, KDD 2019.
    """
    codes: Ints = np.asarray(groups, dtype=np.int64)
    count = int(codes.max(initial=-1)) + 1 if target is None else len(np.asarray(target))
    wanted = shares_of(codes, count) if target is None else np.asarray(target, dtype=np.float64)
    shown = codes[np.asarray(order, dtype=np.int64)]
    shown = shown[shown >= 0]
    if not len(shown):
        return float("nan")
    length = np.arange(1, len(shown) + 1)
    share = np.cumsum(shown[:, None] == np.arange(count), axis=0) / length[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(share > 0, share * np.log(share / wanted), 0.0)
    discount = 1 / np.log2(length + 1)
    return float(np.maximum(terms.sum(axis=1), 0.0) @ discount / discount.sum())


@metric("ndkl", scope="collective", better="lower")
def round_ndkl(view: Evaluation, *, by: GroupColumn, at: Count | None = None) -> float:
    """Discounted divergence of the groups' shares in the ranking's prefixes from their share of the candidates."""
    return ndkl(view.order[:at], view.items.groups(by).codes)
