"""Proportional rankings: does every prefix of a ranking represent every cohesive group?"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.outcome import TOLERANCE
from simulator.profile import Bools

MOST_SETS = 4096


def ranking_representation(approvals: ArrayLike, order: ArrayLike, depth: int | None = None) -> float:
    """Worst surplus of a group's representation: min over V, q of mean_{i in V} |A_i in the first q| - demand(V, q).

    demand = min(floor(q |V| / n), number of items that all of V approve). 0, the most there is: every group is
    represented in every prefix as its share of the n ballots and the items that it agrees on justify. The worst group
    of a size among those who approve a set of items are those with the least in the prefix, so only the sets that are
    the intersection of some ballots are gone through, not the groups.

    Args:
        approvals: `(n, m)`.
        order: `(m,)` or less, item indices, best first.
        depth: the longest prefix; the whole order by default.

    Returns:
        The worst surplus; nan without ballots, and where more than 4,096 sets would have to be gone through.

    Source: P. Skowron et al., Proportional rankings, IJCAI 2017 (groups, cohesiveness and average representation).
    """
    approved = np.asarray(approvals, dtype=np.bool_)
    ranking = np.asarray(order, dtype=np.int64)[:depth]
    sets = _intersections(approved)
    if sets is None or not len(approved):
        return float("nan")
    n = len(approved)
    held = np.cumsum(approved[:, ranking], axis=1)  # (n, q)
    lengths = np.arange(1, len(ranking) + 1)
    worst = 0.0
    for common in sets:
        inside = approved[:, common].all(axis=1)
        size = np.arange(1, int(inside.sum()) + 1)[:, None]
        mean = np.cumsum(np.sort(held[inside], axis=0), axis=0) / size
        share = np.floor(lengths * size / n + TOLERANCE)
        worst = min(worst, float((mean - np.minimum(share, common.sum())).min(initial=0.0)))
    return worst


def _intersections(approved: Bools) -> list[Bools] | None:
    """Every non-empty set that is the intersection of some ballots, or None if they are too many."""
    found: dict[bytes, Bools] = {}
    for ballot in np.unique(approved, axis=0):
        for known in [ballot, *(known & ballot for known in list(found.values()))]:
            if known.any():
                found[known.tobytes()] = known
        if len(found) > MOST_SETS:
            return None
    return list(found.values())


@metric("ranking_representation", scope="collective")
def round_ranking_representation(view: Evaluation) -> float:
    """Worst surplus of representation of a group in a prefix of the delivered slate, each approving its own top k.

    At most 0; 0 = every group has what it can justify.
    """
    return ranking_representation(view.own_best(), view.slate)
