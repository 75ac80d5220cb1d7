"""How far what was delivered agrees with each agent's own list: the fairness of agents that say nothing about it."""

from __future__ import annotations

import numpy as np

from simulator.profile import Floats, Ints


def agreement(ranks: Ints, delivered: Ints, persistence: float = 0.9) -> Floats:
    """Rank-biased overlap of a delivered list and each ballot's top, in 0..1; 1 = the list is the ballot's own top.

    A_d = |first d delivered and T_d| / min(d, |T_d|) with T_d the ranked items that have fewer than d items above them:
    with ties and short ballots, all that a ballot could ask for at depth d. Over the depths d = 1..k of the list:
    RBO_ext = (1 - p) / p sum_d A_d p^d + A_k p^k, p the persistence. 0 for a ballot that ranks nothing. For strict
    complete ballots this is RBO_ext of the two lists of length k.

    Args:
        ranks: tiers `(..., n, m)`, unranked = m.
        delivered: `(..., k)` items, best first, k at least 1.
        persistence: p in 0..1 without its ends; the greater, the more the later places count.

    Returns:
        `(..., n)`.

    Source: W. Webber, A. Moffat and J. Zobel, A similarity measure for indefinite rankings, 2010.
    """
    m, k = ranks.shape[-1], delivered.shape[-1]
    ordered = np.sort(ranks, axis=-1)
    shown = np.take_along_axis(ranks, np.broadcast_to(delivered[..., None, :], (*ranks.shape[:-1], k)), axis=-1)
    overlap, whole = np.empty(shown.shape), np.empty(shown.shape)
    for depth in range(1, k + 1):
        # The tier that this depth reaches; where a ballot is shorter, the last one that it ranks.
        line = np.minimum(ordered[..., depth - 1, None], m - 1)
        overlap[..., depth - 1] = (shown[..., :depth] <= line).sum(axis=-1)
        whole[..., depth - 1] = (ranks <= line).sum(axis=-1)
    depths = np.arange(1, k + 1)
    within = overlap / np.maximum(np.minimum(depths, whole), 1)
    weights = persistence**depths
    return np.asarray((1 - persistence) / persistence * (within @ weights) + within[..., -1] * weights[-1])
