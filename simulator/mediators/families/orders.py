"""Rules that look for a best order of all items: what is common to all the best orders if there are several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simulator.mediators.base import Mediator
from simulator.outcome import MOST_SLATES, Outcome, Trace, tiers_of
from simulator.profile import Bools, Ints, Profile

Slates = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Orders:
    """All best orders of a profile's items, as far as they were found.

    Attributes:
        order: the one that the tie rule chooses.
        before: `(m, m)`, whether some best order puts the row item above the column item.
        winners: the items that come first in some best order.
        slates: the sets of first k items of all best orders; None if there are too many to list.
        complete: whether `winners` and `slates` are all.
    """

    order: tuple[int, ...]
    before: Bools
    winners: tuple[int, ...]
    slates: Slates | None
    complete: bool


def tier_numbers(order: Ints, before: Bools) -> Ints:
    """Tiers `(..., m)`: two items that different best orders put in different order share a tier, and so in a chain.

    Such a chain leaves nothing out in between: if a stands above c and c above b in all best orders, a and b do not
    differ. So tiers are stretches of any best order.

    Args:
        order: `(..., m)` a best order.
        before: `(..., m, m)` as in `Orders`.
    """
    differ = np.take_along_axis(before & np.swapaxes(before, -1, -2), order[..., :, None], axis=-2)
    differ = np.take_along_axis(differ, order[..., None, :], axis=-1)
    places = np.arange(order.shape[-1])
    reach = np.maximum.accumulate(np.where(differ, places, places[:, None]).max(axis=-1), axis=-1)
    tiers = np.zeros(order.shape, dtype=np.int64)
    np.cumsum(reach[..., :-1] == places[:-1], axis=-1, out=tiers[..., 1:])
    ranks = np.empty_like(tiers)
    np.put_along_axis(ranks, order, tiers, axis=-1)
    return ranks


def extensions(above: Bools, priority: Sequence[int]) -> Ints:
    """One linear order `(b, m)` for each of many partial orders `(b, m, m)`: at each place the tie order chooses."""
    b, m, _ = above.shape
    rows = np.arange(b)
    place = np.empty(m, dtype=np.int64)
    place[list(priority)] = np.arange(m)
    waiting = above.sum(axis=1)  # how many items must still come before each
    orders = np.empty((b, m), dtype=np.int64)
    for at in range(m):
        item = np.where(waiting == 0, place, m).argmin(axis=1)
        orders[:, at] = item
        waiting -= above[rows, item]
        waiting[rows, item] = m  # taken
    return orders


def of_partial_orders(above: Bools, k: int, priority: Sequence[int]) -> Orders:
    """The linear orders that extend at least one of several partial orders.

    Args:
        above: `(u, m, m)` transitive and without cycles, whether the row item must stand above the column item.
        k: size of the slates.
        priority: tie order. At each place, it chooses among all items that can still stand there.
    """
    u, m, _ = above.shape
    waiting = above.sum(axis=1)  # how many items must still come before each
    alive = np.ones(u, dtype=np.bool_)
    place = np.empty(m, dtype=np.int64)
    place[list(priority)] = np.arange(m)
    order: list[int] = []
    for _ in range(m):
        free = (waiting == 0) & alive[:, None]
        item = int(np.where(free.any(axis=0), place, m).argmin())
        order.append(item)
        alive &= free[:, item]
        waiting = waiting - above[:, item]
        waiting[:, item] = m  # taken
    before: Bools = np.logical_not(above.transpose(0, 2, 1).all(axis=0))
    np.fill_diagonal(before, False)
    winners = np.asarray(np.logical_not(above.any(axis=1)).any(axis=0))
    slates = _prefixes(above, k, order, tier_numbers(np.array(order), before))
    first = tuple(item for item in order if winners[item])
    return Orders(tuple(order), before, first, slates, slates is not None)


def _prefixes(above: Bools, k: int, order: Sequence[int], ranks: Ints) -> Slates | None:
    """The sets of first k items, each in item order; whole tiers are the same in all of them."""
    tier = ranks[order[k - 1]]
    members = [item for item in order if ranks[item] == tier]
    fixed = [item for item in order if ranks[item] < tier]
    found: dict[tuple[int, ...], None] = {}
    for universe in above[:, members][:, :, members]:
        needs = [sum(1 << int(i) for i in np.flatnonzero(column)) for column in universe.T]
        layer: dict[int, None] = {0: None}
        for _ in range(k - len(fixed)):
            layer = {
                taken | 1 << i: None
                for taken in layer
                for i, need in enumerate(needs)
                if not taken >> i & 1 and not need & ~taken
            }
            if len(layer) > MOST_SLATES:
                return None
        for taken in layer:
            found[tuple(sorted([*fixed, *(item for i, item in enumerate(members) if taken >> i & 1)]))] = None
        if len(found) > MOST_SLATES:
            return None
    return tuple(sorted(found))


def end_to_end(parts: Sequence[tuple[Ints, Orders]], k: int) -> Orders:
    """The best orders of all items where every best order goes through sets of items in the same order.

    Args:
        parts: the items of each set and their best orders, whose `slates` have the size that the set contributes to k.
        k: size of the slates.
    """
    m = sum(len(items) for items, _ in parts)
    before = np.zeros((m, m), dtype=np.bool_)
    order: list[int] = []
    slates: Slates | None = ()
    for items, found in parts:
        before[np.ix_(np.array(order, dtype=np.int64), items)] = True
        before[np.ix_(items, items)] = found.before
        if len(order) < k <= len(order) + len(items):
            chosen = None if found.slates is None else [items[list(slate)].tolist() for slate in found.slates]
            slates = None if chosen is None else tuple(sorted(tuple(sorted([*order, *more])) for more in chosen))
        order += items[list(found.order)].tolist()
    items, first = parts[0]
    winners = tuple(items[list(first.winners)].tolist())
    return Orders(tuple(order), before, winners, slates, all(found.complete for _, found in parts))


def outcome_of_orders(
    mediator: Mediator, profile: Profile, found: Orders, trace: Trace, k: int, notes: tuple[str, ...] = ()
) -> Outcome:
    """The outcome of a rule that looks for a best order; items of a tier stand as in the order that is delivered."""
    return Outcome(
        mediator=mediator.label,
        items=profile.items,
        k=k,
        order=found.order,
        tier_indices=tiers_of(tier_numbers(np.array(found.order), found.before), found.order),
        slate_indices=found.order[:k],
        score_values=None,
        trace=trace,
        tied_slates=found.slates,
        tied_winners=found.winners,
        complete=found.complete,
        notes=notes,
    )
