"""Justified representation: do large enough groups that approve the same items get their share of the slate?

A group with l of the k seats' worth of the weight (w(V) >= l W / k, W the sum of all weights) that approves l items in
common deserves something. What it deserves is where the axioms differ; each of them implies the ones before it:

    JR    somebody in every group with l = 1 approves an item of the slate
    PJR   the items of the slate that anybody in the group approves are at least l
    EJR   somebody in the group approves at least l items of the slate
    EJR+  the same for groups that approve one item in common which the slate does not hold

All take `approvals` `(n, m)`, the `slate` `(k,)` as item indices, and optional `weights` `(n,)` (multiplicities). JR
and EJR+ are polynomial. PJR and EJR are coNP-complete to verify: they are settled by an integer program for each l,
unless JR fails or EJR+ holds.

Sources: H. Aziz et al., Justified representation in approval-based committee voting, 2017; L. Sanchez-Fernandez et al.,
Proportional justified representation, AAAI 2017; M. Brill and J. Peters, Robust and verifiable proportionality axioms
for multiwinner voting, EC 2023.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.outcome import TOLERANCE
from simulator.profile import Bools, Floats, Ints


def satisfies_jr(approvals: ArrayLike, slate: ArrayLike, weights: ArrayLike | None = None) -> bool:
    """Whether every item has less than W/k of weight behind it among those who approve nothing of the slate."""
    approved, chosen, weighted = _arrays(approvals, slate, weights)
    if not len(chosen):
        return True
    without = _represented(approved, chosen) == 0
    support = (weighted * without) @ approved
    return not bool(_enough(support, 1, weighted, len(chosen)).any())


def ejr_plus_violations(approvals: ArrayLike, slate: ArrayLike, weights: ArrayLike | None = None) -> int:
    """How many pairs of an item outside the slate and an l in 1..k violate EJR+.

    (c, l) violates it if those who approve c and fewer than l items of the slate weigh at least l W / k.
    """
    approved, chosen, weighted = _arrays(approvals, slate, weights)
    k = len(chosen)
    outside = np.ones(approved.shape[1], dtype=np.bool_)
    outside[chosen] = False
    demands = np.arange(1, k + 1)
    below = _represented(approved, chosen) < demands[:, None]  # (k, n)
    support = (below * weighted) @ approved[:, outside]
    return int(_enough(support, demands[:, None], weighted, k).sum()) if k else 0


def satisfies_ejr_plus(approvals: ArrayLike, slate: ArrayLike, weights: ArrayLike | None = None) -> bool:
    """Whether nothing violates EJR+."""
    return ejr_plus_violations(approvals, slate, weights) == 0


def satisfies_pjr(approvals: ArrayLike, slate: ArrayLike, weights: ArrayLike | None = None) -> bool:
    """Whether the slate provides proportional justified representation."""
    return _none_deprived(approvals, slate, weights, jointly=True)


def satisfies_ejr(approvals: ArrayLike, slate: ArrayLike, weights: ArrayLike | None = None) -> bool:
    """Whether the slate provides extended justified representation."""
    return _none_deprived(approvals, slate, weights, jointly=False)


def _arrays(approvals: ArrayLike, slate: ArrayLike, weights: ArrayLike | None) -> tuple[Bools, Ints, Floats]:
    approved = np.asarray(approvals, dtype=np.bool_)
    weighted = np.ones(len(approved)) if weights is None else np.asarray(weights, dtype=np.float64)
    return approved, np.asarray(slate, dtype=np.int64), weighted


def _represented(approved: Bools, slate: Ints) -> Ints:
    return np.asarray(approved[:, slate].sum(axis=1))


def _enough(support: Floats, demand: int | Ints, weights: Floats, k: int) -> Bools:
    """Whether support >= demand W / k, up to rounding; nobody's support is never enough."""
    return np.asarray((support > 0) & (support * k >= demand * weights.sum() * (1 - TOLERANCE)))


def _none_deprived(approvals: ArrayLike, slate: ArrayLike, weights: ArrayLike | None, *, jointly: bool) -> bool:
    if satisfies_ejr_plus(approvals, slate, weights):
        return True
    if not satisfies_jr(approvals, slate, weights):
        return False
    approved, chosen, weighted = _arrays(approvals, slate, weights)
    represented = _represented(approved, chosen)
    for demand in range(1, len(chosen) + 1):
        poor = (represented < demand) & (weighted > 0)  # in a group that PJR lets down, everyone is
        heaviest = _heaviest_group(approved[poor], chosen, weighted[poor], demand, jointly)
        if _enough(np.array(heaviest), demand, weighted, len(chosen)):
            return False
    return True


def _heaviest_group(approved: Bools, slate: Ints, weights: Floats, demand: int, jointly: bool) -> float:
    """Weight of the heaviest group with `demand` items in common (and, jointly, fewer than that in the slate).

    Variables: z_i = i is in the group, x_c = c is a common item, u_c = somebody in the group approves c of the slate.
    """
    from scipy.optimize import LinearConstraint, milp
    from scipy.sparse import coo_array

    n, m = approved.shape
    if not n or (approved.sum(axis=0) > 0).sum() < demand:
        return 0.0
    covered = m if jointly else 0
    voter, item = np.nonzero(~approved)  # z_i + x_c <= 1 where i does not approve c
    upper = [np.ones(len(voter))]
    columns = [voter, n + item]
    values = [np.ones(len(voter)), np.ones(len(voter))]
    places = [np.arange(len(voter))] * 2
    used = len(voter)
    if jointly:
        voter, held = np.nonzero(approved[:, slate])  # z_i <= u_c where i approves c of the slate
        columns += [voter, n + m + slate[held]]
        values += [np.ones(len(voter)), -np.ones(len(voter))]
        places += [used + np.arange(len(voter))] * 2
        upper.append(np.zeros(len(voter)))
        used += len(voter)
        columns.append(n + m + slate)  # sum of u over the slate <= demand - 1
        values.append(np.ones(len(slate)))
        places.append(np.full(len(slate), used))
        upper.append(np.array([demand - 1.0]))
        used += 1
    size = n + m + covered
    limits = coo_array(
        (np.concatenate(values), (np.concatenate(places), np.concatenate(columns))), shape=(used, size)
    ).tocsr()
    common = np.zeros((1, size))
    common[0, n : n + m] = 1
    solved = milp(
        np.concatenate([-weights, np.zeros(m + covered)]),
        constraints=[LinearConstraint(limits, ub=np.concatenate(upper)), LinearConstraint(common, demand, demand)],
        integrality=np.ones(size),
        bounds=(0, 1),
        options={"mip_rel_gap": 0},
    )
    return 0.0 if solved.x is None else float(weights @ solved.x[:n].round())


@metric("ejr_plus_violations", scope="collective", better="lower")
def round_ejr_plus_violations(view: Evaluation) -> float:
    """How often the slate violates EJR+ if every stakeholder approves its own top k: pairs of an item and a demand."""
    return float(ejr_plus_violations(view.own_best(), view.slate, view.weights))


@metric("jr", scope="collective")
def round_jr(view: Evaluation) -> float:
    """1 if the slate provides justified representation where every stakeholder approves its own top k, else 0."""
    return float(satisfies_jr(view.own_best(), view.slate, view.weights))


@metric("pjr", scope="collective")
def round_pjr(view: Evaluation) -> float:
    """1 if the slate provides proportional justified representation, each approving its own top k, else 0.

    Integer programs in the rounds that neither violate JR nor satisfy EJR+.
    """
    return float(satisfies_pjr(view.own_best(), view.slate, view.weights))


@metric("ejr", scope="collective")
def round_ejr(view: Evaluation) -> float:
    """1 if the slate provides extended justified representation, each approving its own top k, else 0.

    Integer programs in the rounds that neither violate JR nor satisfy EJR+.
    """
    return float(satisfies_ejr(view.own_best(), view.slate, view.weights))
