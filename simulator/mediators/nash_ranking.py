"""The ranking of greatest Nash welfare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from math import factorial
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost, Mediator, Need
from simulator.mediators.conversions import cast_weights, nonnegative_utilities
from simulator.mediators.nash import geometric_mean, nash_best
from simulator.outcome import Memory, Outcome, Trace, tiers_of
from simulator.profile import Floats, Ints, Profile
from simulator.registry import register

_MOST_NUMBERS = 2_000_000
_MOST_ITEMS = 8


@register("mediator", "nash_ranking")
@dataclass(frozen=True)
class NashRanking(Mediator):
    """The order of all items with the greatest product of utilities, where places count less and less downwards.

    argmax over orders a_1, ..., a_m of prod_i U_i^{w_i}, U_i = sum_j u_i(a_j) / log2(1 + j). Zeros: the order gives
    something to as much weight as possible first, then the product over those is maximised. Exact up to 8 items, while
    m! n is at most 2,000,000; above that items are placed one by one, each where the product of what is placed so far
    gains most, then any two items are swapped while a swap helps, and the outcome says so and is not `complete`. Items
    whose order differs between best orders share a tier; of tied orders, the one whose items stand earliest in the tie
    order is delivered. Abstentions do not count. Ballots without utilities are read as
    u = (m - average position) / (m - 1). A batch is taken one profile after another.

    Raises:
        ValueError: a utility is negative.

    Sources: the product, M. Kaneko and K. Nakamura, The Nash social welfare function, 1979; the discount, K. Jarvelin
    and J. Kekalainen, Cumulated gain-based evaluation of IR techniques, 2002.
    """

    name: ClassVar[str] = "nash_ranking"
    needs: ClassVar[Need] = "utility"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "pareto")
    cost: ClassVar[Cost] = "exponential"
    rule: ClassVar[str] = (
        "the order with the greatest geometric mean of the ballots' utilities, place j counting 1 / log2(1 + j)"
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
        """Find the order."""
        values, notes = nonnegative_utilities(profile, self.name)
        weights = cast_weights(profile)
        m, counted = profile.m, values[weights > 0]
        exact = m <= _MOST_ITEMS and factorial(m) * len(counted) <= _MOST_NUMBERS
        orders = _best_orders(counted, weights[weights > 0]) if exact else _found(counted, weights[weights > 0])[None]
        place = np.empty(m, dtype=np.int64)
        place[np.arange(m) if priority is None else np.asarray(priority)] = np.arange(m)
        delivered = orders[np.lexsort(place[orders].T[::-1])[0]]
        order = tuple(delivered.tolist())
        welfare = geometric_mean((counted[:, delivered] @ _discounts(m))[:, None], weights[weights > 0])[0]
        how = (
            f"All {factorial(m)} orders were compared"
            if exact
            else "Found by placing items one by one and swapping any two while it helps: a better order may exist"
        )
        return Outcome(
            mediator=self.label,
            items=profile.items,
            k=k,
            order=order,
            tier_indices=tiers_of(_shared_tiers(orders), order),
            slate_indices=order[:k],
            score_values=None,
            trace=Trace(self.rule, values=values),
            tied_slates=tuple(map(tuple, np.unique(np.sort(orders[:, :k], axis=1), axis=0).tolist())),
            tied_winners=tuple(np.unique(orders[:, 0]).tolist()),
            complete=exact,
            notes=(*notes, f"{how}; this one has a geometric mean of {welfare:.6g}."),
        )


def _discounts(m: int) -> Floats:
    return np.asarray(1 / np.log2(np.arange(2, m + 2)))


@lru_cache(maxsize=_MOST_ITEMS)
def _orders(m: int) -> Ints:
    orders = np.array(list(permutations(range(m))), dtype=np.int64)
    orders.flags.writeable = False
    return orders


def _best_orders(values: Floats, weights: Floats) -> Ints:
    """All best orders `(b, m)` for the utilities `(n, m)`."""
    orders = _orders(values.shape[1])
    if not len(weights):
        return orders
    terms = zip(_discounts(values.shape[1]), orders.T, strict=True)
    return orders[nash_best(np.asarray(sum(discount * values[:, items] for discount, items in terms)), weights)]


def _found(values: Floats, weights: Floats) -> Ints:
    """A good order `(m,)`; ties go to the first item in item order, so that the tie rule never changes who wins."""
    m = values.shape[1]
    discounts = _discounts(m)
    if not len(weights):
        return np.arange(m)
    left = list(range(m))
    order = np.empty(m, dtype=np.int64)
    got = np.zeros((len(weights), 1))
    for place in range(m):
        gains = got + discounts[place] * values[:, left]
        most = int(nash_best(gains, weights)[0])
        order[place], got = left.pop(most), gains[:, [most]]
    helped = True
    while helped:
        helped = False
        for place in range(m):
            moved = discounts - discounts[place]
            swapped = got + moved * (values[:, [order[place]]] - values[:, order])
            best = nash_best(np.concatenate([got, swapped], axis=1), weights)
            if best[0] != 0:
                other = int(best[0]) - 1
                order[[place, other]] = order[[other, place]]
                got = (values[:, order] @ discounts)[:, None]
                helped = True
    return order


def _shared_tiers(orders: Ints) -> Ints:
    """Tiers `(m,)`: a tier ends where all orders `(b, m)` have put the same items before."""
    m = orders.shape[1]
    places = np.empty_like(orders)
    np.put_along_axis(places, orders, np.arange(m)[None].repeat(len(orders), axis=0), axis=1)
    first, last = places.min(axis=0), places.max(axis=0)
    within = np.arange(1, m)[:, None]
    ends = ~((first < within) & (within <= last)).any(axis=1)
    starts = np.concatenate([[0], np.cumsum(ends)])
    return np.asarray(starts[first])
