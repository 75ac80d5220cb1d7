"""Rank parity: how often does an item of one group stand above one of another?"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.metrics.parameters import GroupColumn
from simulator.profile import Floats


def favoured_pair_rate(tiers: ArrayLike, groups: ArrayLike, count: int | None = None) -> Floats:
    """FPR `(..., G)`: pairs of an item of the group and one of another that the group's item wins, over all such pairs.

    1/2 = parity, 1 = the group stands on top, 0 = at the bottom; a tied pair counts half; nan where a group has no
    item, or all of them.

    Args:
        tiers: `(..., m)`, smaller is better.
        groups: `(m,)` codes from 0; items of no group (-1) are left out.
        count: G; the largest code and one by default.

    Source: K. Cachel, E. Rundensteiner and L. Harrison, MANI-Rank: multiple attribute and intersectional group fairness
    for consensus ranking, ICDE 2022.
    """
    ranks, codes = np.asarray(tiers, dtype=np.float64), np.asarray(groups, dtype=np.int64)
    number = count if count is not None else int(codes.max(initial=-1)) + 1
    ranks, codes = ranks[..., codes >= 0], codes[codes >= 0]
    member = (codes[:, None] == np.arange(number)).astype(np.float64)
    above = np.sign(ranks[..., None, :] - ranks[..., :, None]) / 2 + 0.5  # 1 where the row item wins, 1/2 for a tie
    won = ((above @ (1 - member)) * member).sum(axis=-2)
    sizes = member.sum(axis=0)
    pairs = sizes * (len(codes) - sizes)
    return np.where(pairs > 0, won / np.where(pairs > 0, pairs, 1.0), np.nan)


def attribute_rank_parity(tiers: ArrayLike, groups: ArrayLike) -> Floats:
    """ARP `(...)`: the largest difference of two groups' FPR, in 0..1; 0 = parity; nan with less than two groups.

    Source: as for `favoured_pair_rate`.
    """
    rates = favoured_pair_rate(tiers, groups)
    known = rates[..., ~np.isnan(rates).any(axis=tuple(range(rates.ndim - 1)))]
    return np.asarray(np.ptp(known, axis=-1)) if known.shape[-1] > 1 else np.full(known.shape[:-1], np.nan)


@metric("favoured_pair_rate", scope="group", better="neither")
def round_favoured_pair_rate(view: Evaluation, *, by: GroupColumn, group: str = "") -> float:
    """Share of the mixed pairs of candidates that the group's item wins in the collective ranking; 1/2 = parity."""
    found = view.items.groups(by)
    rates = favoured_pair_rate(view.tiers, found.codes, len(found.names))
    return float(rates[found.names.index(group)]) if group in found.names else float("nan")


@metric("rank_parity", scope="collective", better="lower")
def round_rank_parity(view: Evaluation, *, by: GroupColumn) -> float:
    """Largest difference between two groups' shares of won mixed pairs in the collective ranking; 0 = parity."""
    return float(attribute_rank_parity(view.tiers, view.items.groups(by).codes))
