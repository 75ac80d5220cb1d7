"""The squared Kemeny rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost, Mediator
from simulator.mediators.families.orders import Orders, outcome_of_orders
from simulator.mediators.families.pairwise import pairwise_support
from simulator.mediators.families.squared import cost_of, improved
from simulator.outcome import MOST_SLATES, TOLERANCE, Memory, Outcome, Trace
from simulator.profile import Floats, Ints, Profile
from simulator.registry import register

MOST_ENUMERATED = 8
_BLOCK = 4_000_000


@register("mediator", "squared_kemeny")
@dataclass(frozen=True)
class SquaredKemeny(Mediator):
    """The order with the least sum of squared distances to the ballots: a compromise in proportion to their weights.

    It minimises sum_i w_i K(r_i, order)^2, where K counts the pairs that a ballot ranks in opposite order; a pair that
    a ballot ties costs nothing. `trace.cost` is this sum for the delivered order.

    Up to 8 items, all orders are compared: `winners` and `slates` come from all best ones and items whose order differs
    between them share a tier. With more items the order comes from a search: from the order by Borda's count, the best
    move of one item to another place or exchange of two items is made until none is better. Then `complete` and
    `trace.optimal` are false, and a better order may exist. Batches are a loop.

    Source: P. Lederer, D. Peters, T. Was, The Squared Kemeny Rule for Averaging Rankings, 2024.
    """

    name: ClassVar[str] = "squared_kemeny"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "pareto")
    cost: ClassVar[Cost] = "exponential"
    rule: ClassVar[str] = (
        "the order with the least sum over ballots of weight x (number of pairs that the ballot ranks in opposite "
        "order) squared"
    )

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Find the best order."""
        place = np.empty(profile.m, dtype=np.int64)
        place[list(range(profile.m) if priority is None else priority)] = np.arange(profile.m)
        ranks, weights = _distinct(profile)
        exact = profile.m <= MOST_ENUMERATED
        if exact:
            best = _all_best(ranks, weights)
            note = "All orders were compared."
        else:
            best = improved(ranks, weights)[None]
            note = "Found by moves of one item and exchanges of two: a better order may exist."
        orders = _common(best, k, place, exact)
        cost = cost_of(ranks, weights, np.array(orders.order))
        trace = Trace(self.rule, pairwise=pairwise_support(profile), cost=cost, optimal=exact)
        said = f"The weighted squares of the ballots' distances to the order add up to {cost:g}."
        return outcome_of_orders(self, profile, orders, trace, k, (said, note))


def _distinct(profile: Profile) -> tuple[Ints, Floats]:
    """The different ballots `(d, m)` that have weight, and their weights `(d,)`."""
    voting = profile.weights > 0
    ranks, which = np.unique(profile.ranks[voting], axis=0, return_inverse=True)
    weights = np.bincount(which.ravel(), weights=profile.weights[voting], minlength=len(ranks))
    return ranks, weights.astype(np.float64)


@lru_cache(maxsize=2)
def _all_orders(m: int) -> Ints:
    orders = np.array(list(permutations(range(m))), dtype=np.int64)
    orders.flags.writeable = False
    return orders


def _all_best(ranks: Ints, weights: Floats) -> Ints:
    """All orders `(o, m)` of least cost."""
    orders = _all_orders(ranks.shape[1])
    upper, lower = np.triu_indices(ranks.shape[1], 1)
    against = np.sign(ranks[:, upper] - ranks[:, lower])  # 1 where a ballot has the lower item of a pair above
    always = (against < 0).sum(axis=1)
    places = np.argsort(orders, axis=1)
    size = max(1, _BLOCK // max(1, len(ranks) + len(upper)))
    costs = []
    for start in range(0, len(orders), size):
        part = places[start : start + size]
        kept = (part[:, upper] < part[:, lower]).astype(np.float64)
        distances = kept @ against.T + always
        costs.append(distances**2 @ weights)
    cost = np.concatenate(costs)
    return np.asarray(orders[cost <= cost.min() * (1 + TOLERANCE)])


def _common(best: Ints, k: int, place: Ints, exact: bool) -> Orders:
    """What best orders `(o, m)` have in common; delivered is the one whose items stand earliest in the tie order."""
    places = np.argsort(best, axis=1)
    before = np.asarray((places[:, :, None] < places[:, None, :]).any(axis=0))
    order = best[np.lexsort(place[best].T[::-1])[0]]
    first = np.unique(best[:, 0])
    slates = np.unique(np.sort(best[:, :k], axis=1), axis=0)
    listed = tuple(map(tuple, slates.tolist())) if len(slates) <= MOST_SLATES else None
    winners = tuple(sorted(first.tolist(), key=lambda item: order.tolist().index(item)))
    return Orders(tuple(order.tolist()), before, winners, listed, exact and listed is not None)
