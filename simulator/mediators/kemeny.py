"""Kemeny's rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from math import prod
from time import monotonic
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost, Mediator
from simulator.mediators.families.best_orders import MOST_ITEMS, BestOrders
from simulator.mediators.families.insertion import as_good
from simulator.mediators.families.order_program import best_order
from simulator.mediators.families.orders import Orders, end_to_end, of_partial_orders, outcome_of_orders
from simulator.mediators.families.pairwise import duels
from simulator.mediators.families.paths import strongest_paths
from simulator.outcome import TOLERANCE, Memory, Outcome, Trace
from simulator.profile import Bools, Floats, Ints, Profile
from simulator.registry import register

MOST_FOLLOWED = 200


@register("mediator", "kemeny", "kemeny_young")
@dataclass(frozen=True)
class Kemeny(Mediator):
    """The order that the ballots contradict least.

    It minimises sum_i w_i K(r_i, order) = sum of N(b,a) over all a above b, where K counts the pairs that a ballot
    ranks in opposite order; a pair that a ballot ties costs nothing. `trace.cost` is this sum for the order delivered.

    Items fall into groups such that every item of one beats every item of the next by majority; all best orders put the
    groups in this order. In a group of up to 14 items all best orders are found, by dynamic programming over sets. In
    a larger one, the items on common cycles of majorities are ordered by themselves: up to 14 as before, more by an
    integer program (HiGHS). `winners` and `slates` come from all best orders and items whose order differs between
    them share a tier; the tie rule chooses among the best orders. `complete` is false where there are more than 200 in
    a larger group, and after an integer program, from which other best orders are looked for by moving single items.
    If the time is up, the order is the one that moving single items cannot improve, from the order by summed margins:
    `trace.optimal` is false, a note says so, and the result may then depend on the machine. Batches are a loop.

    Attributes:
        time_limit: seconds for the integer programs of one profile.

    Source: J. Kemeny, Mathematics without numbers, 1959; H. P. Young, A. Levenglick, A consistent extension of
    Condorcet's election principle, 1978; for the groups, M. Truchon, An extension of the Condorcet criterion and Kemeny
    orders, 1998.
    """

    time_limit: float = 10.0

    name: ClassVar[str] = "kemeny"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "condorcet", "monotone", "pareto")
    cost: ClassVar[Cost] = "integer program"
    rule: ClassVar[str] = "the order with the least weight of ballots against its pairs, summed over all pairs"

    def __post_init__(self) -> None:
        if not 0 <= self.time_limit < float("inf"):
            raise ValueError(f"time_limit is {self.time_limit}; it is a number of seconds, 0 or more")

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Find the best orders."""
        found = duels(profile)
        exact = found.support.dtype.kind == "i"
        slack = 0.0 if exact else TOLERANCE * float(found.weight) * profile.m
        deadline = monotonic() + self.time_limit
        place = np.empty(profile.m, dtype=np.int64)
        place[list(range(profile.m) if priority is None else priority)] = np.arange(profile.m)
        parts, proved, start = [], True, 0
        for items in _groups(found.margins >= 0):
            local_k = min(max(k - start, 1), len(items))
            start += len(items)
            margins = found.margins[np.ix_(items, items)].astype(np.float64)
            support = found.support[np.ix_(items, items)].astype(np.float64)
            local_priority = np.argsort(place[items]).tolist()
            if len(items) <= MOST_ITEMS:
                orders = BestOrders(support.T, slack).orders(local_k, local_priority)
            else:
                orders, optimal = _large(margins, slack, deadline, local_k, local_priority)
                proved &= optimal
            parts.append((items, orders))
        orders = end_to_end(parts, k)
        here = np.array(orders.order)
        cost = float(np.triu(found.support.T[np.ix_(here, here)].astype(np.float64), 1).sum())
        notes = [f"The ballots contradict the order in pairs of weight {cost:g}."]
        if not proved:
            notes.append(f"That no order does better was not proved in {self.time_limit:g} seconds.")
        elif not orders.complete:
            notes.append("No order does better; others that do as well may exist beside those found.")
        trace = Trace(self.rule, pairwise=found.support.astype(np.float64), cost=cost, optimal=proved)
        return outcome_of_orders(self, profile, orders, trace, k, tuple(notes))


def _groups(links: Bools) -> list[Ints]:
    """The items `(s,)` of each set that `links` ties together on cycles, sets from which others are reached first.

    Sets without a link between them stand by their first item.
    """
    paths = strongest_paths((links | np.eye(len(links), dtype=np.bool_)).view(np.int8)).view(np.bool_)
    reached = paths.sum(axis=1)
    together = paths & paths.T
    firsts = [item for item in range(len(links)) if together[item].argmax() == item]
    return [np.flatnonzero(together[item]) for item in sorted(firsts, key=lambda item: (-int(reached[item]), item))]


def _large(margins: Floats, slack: float, deadline: float, k: int, priority: Sequence[int]) -> tuple[Orders, bool]:
    """The best orders of many items, as far as they are found; and whether they were proved to be best.

    The sets of items on common cycles of majorities are independent: an order is best if it keeps every other majority
    and has a best order of each set.
    """
    sets = _groups(margins > 0)
    choices: list[list[Ints]] = []
    proved = complete = True
    for items in sets:
        inside = margins[np.ix_(items, items)]
        if len(items) <= MOST_ITEMS:
            every = BestOrders(np.maximum(-inside, 0.0), slack).each()
            choices.append([items[list(order)] for order in islice(every, MOST_FOLLOWED + 1)])
        else:
            found = best_order(inside, slack, deadline)
            proved &= found.optimal
            complete = False
            choices.append([items[order] for order in as_good(inside, found.order, slack, MOST_FOLLOWED)])
    if prod(map(len, choices)) > MOST_FOLLOWED:
        complete = False
    above = [_partial_order(margins, chosen) for chosen in islice(product(*choices), MOST_FOLLOWED)]
    orders = of_partial_orders(np.array(above), k, priority)
    return replace(orders, complete=orders.complete and complete), proved


def _partial_order(margins: Floats, chains: Sequence[Ints]) -> Bools:
    """What must stand above what: the majorities between the chains, and the chains."""
    links = margins > 0
    for chain in chains:
        links[np.ix_(chain, chain)] = False
        links[chain[:-1], chain[1:]] = True
    return strongest_paths(links.view(np.int8)).view(np.bool_)
