"""Ranked pairs, also called Tideman's rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from simulator.batch import BatchOutcome
from simulator.mediators.base import Cost, Mediator
from simulator.mediators.families.locking import MOST_IN_CYCLES, MOST_UNIVERSES, lock_in_every_order, lock_in_item_order
from simulator.mediators.families.locking_many import lock_many
from simulator.mediators.families.orders import extensions, of_partial_orders, outcome_of_orders, tier_numbers
from simulator.mediators.families.pairwise import Duels, duels, in_blocks
from simulator.outcome import Memory, Outcome, Step, Trace
from simulator.profile import Bools, Ints, Profile
from simulator.registry import register

_BLOCK = 5_000_000  # pairs at a time


@register("mediator", "ranked_pairs", "tideman")
@dataclass(frozen=True)
class RankedPairs(Mediator):
    """Majorities are locked in from the largest margin down, except those that would close a cycle.

    The pairs (a, b) with M(a,b) = N(a,b) - N(b,a) > 0 are taken by falling margin; what is locked in at the end is the
    ranking. Equal margins can be taken in any order, and every order gives a ranking of its own: `winners` and
    `slates` list what comes first in any of them, items whose order differs between them share a tier, and the tie
    rule chooses which one is delivered. Items that no chain of pairs connects stand in either order.

    Up to 200 different results are followed, and up to 12 items on common cycles of equal margins. Beyond that ties
    between margins are broken by item order, first of the upper item, then of the lower one: `complete` is false, a
    note says so, and only then does the outcome depend on the order of the items. To find all winners is NP-hard.

    Batches are one array operation but for profiles with tied margins that matter, which are followed one by one.

    Source: T. N. Tideman, Independence of clones as a criterion for voting rules, 1987; for ties, M. Brill, F. Fischer,
    The price of neutrality for the ranked pairs method, 2012.
    """

    name: ClassVar[str] = "ranked_pairs"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "condorcet", "monotone")
    cost: ClassVar[Cost] = "cubic"
    batched: ClassVar[bool] = True
    rule: ClassVar[str] = (
        "majorities are locked in from the largest margin down, except those that would close a cycle; what is locked "
        "in is the ranking"
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
        """Rank items by the majorities that are locked in."""
        found = duels(profile)
        strength = found.strength("margins")
        every = lock_in_every_order(strength)
        above = lock_in_item_order(strength) if every is None else every
        orders = of_partial_orders(above, k, range(profile.m) if priority is None else priority)
        notes: tuple[str, ...] = ()
        if every is None:
            orders = replace(orders, complete=False)
            notes = (
                f"Equal margins allow more than {MOST_UNIVERSES} results or cycles of more than {MOST_IN_CYCLES} items;"
                " the outcome is the one with ties between margins broken by item order.",
            )
        elif len(above) > 1:
            notes = (f"Equal margins, taken in different orders, give {len(above)} different results.",)
        trace = Trace(self.rule, pairwise=found.support.astype(np.float64), steps=_steps(profile, found, orders.order))
        return outcome_of_orders(self, profile, orders, trace, k, notes)

    def batch(
        self, profile: Profile, *, k: int = 1, priority: Sequence[int] | None = None, seed: int = 0
    ) -> BatchOutcome:
        """Aggregate a profile with leading batch axes, all profiles side by side."""
        in_order = list(range(profile.m) if priority is None else priority)
        parts = [_many(duels(part), in_order) for part in in_blocks(profile, _BLOCK)]
        tiers, order, winners = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        shape = (*profile.ranks.shape[:-2], profile.m)
        return BatchOutcome(
            self.label,
            profile.items,
            k,
            None,
            in_order,
            tiers.reshape(shape),
            order.reshape(shape),
            given_winners=winners.reshape(shape),
        )


def _many(found: Duels, priority: Sequence[int]) -> tuple[Ints, Ints, Bools]:
    """Tiers, orders and winners, each `(b, m)`."""
    strength = found.strength("margins")
    locked = lock_many(strength)
    order = extensions(locked.above, priority)
    before = ~np.swapaxes(locked.above, -1, -2)
    tiers = tier_numbers(order, before)
    winners: Bools = np.logical_not(locked.above.any(axis=-2))
    for place in np.flatnonzero(locked.open):
        above = lock_in_every_order(strength[place])
        if above is not None:
            orders = of_partial_orders(above, 1, priority)
            order[place] = orders.order
            tiers[place] = tier_numbers(order[place], orders.before)
            winners[place] = (~above.any(axis=1)).any(axis=0)
    return tiers, order, winners


def _steps(profile: Profile, found: Duels, order: Sequence[int]) -> tuple[Step, ...]:
    """The majorities as they were considered for the delivered order: of equal margins, those that it keeps first."""
    place = np.empty(profile.m, dtype=np.int64)
    place[list(order)] = np.arange(profile.m)
    upper, lower = np.nonzero(found.beats)
    margins, kept = found.margins[upper, lower], place[upper] < place[lower]
    names, told = profile.items, {True: ("", "locked"), False: ("would close a cycle", "left out")}
    return tuple(
        Step(f"{names[upper[i]]} > {names[lower[i]]}", float(margins[i]), *told[bool(kept[i])])
        for i in np.lexsort((lower, upper, ~kept, -margins)).tolist()
    )
