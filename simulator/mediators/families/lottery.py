"""Rules that draw: what the lotteries have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Mediator
from simulator.mediators.conversions import cast_weights
from simulator.outcome import MOST_SLATES, Outcome, Trace, tiers_of
from simulator.profile import Bools, Floats, Ints, Profile

Slate = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chances:
    """What a lottery can draw to come first.

    Attributes:
        possible: `(m,)` whether an item can come first.
        probabilities: `(m,)`; None if they were not computed, and then `possible` may lack items.
    """

    possible: Bools
    probabilities: Floats | None


class LotteryMediator(Mediator):
    """A rule that draws its outcome by the seed: same ballots and seed, same draw.

    A tie that the draw leaves is left to the tie rule; probabilities split it evenly, as the tie rule `seeded` does.
    Where no ballot says anything, nothing is drawn and all items tie.
    """

    lottery: ClassVar[bool] = True

    @abstractmethod
    def chances(self, profile: Profile) -> Chances:
        """What can come first, of one profile."""


@dataclass(frozen=True, slots=True)
class Voices:
    """The different ballots that count, in an order that does not depend on who cast them.

    Attributes:
        ranks: `(d, m)`, in lexicographic order.
        weights: `(d,)`, added up over the ballots that are alike.
        first: `(d,)`, the first voter with each.
        voters: `(d,)`, how many cast each.
    """

    ranks: Ints
    weights: Floats
    first: Ints
    voters: Ints

    @classmethod
    def of(cls, profile: Profile) -> Voices:
        """Group the ballots; abstentions and ballots without weight do not count."""
        weights = cast_weights(profile)
        counted = np.flatnonzero(weights > 0)
        rows, first, same, voters = np.unique(
            profile.ranks[counted], axis=0, return_index=True, return_inverse=True, return_counts=True
        )
        kinds = same.reshape(-1)
        in_order = np.lexsort((weights[counted], kinds))  # so that rounding does not depend on the voters' order either
        sums = np.bincount(kinds[in_order], weights=weights[counted][in_order], minlength=len(rows))
        return cls(rows.astype(np.int64), np.asarray(sums, dtype=np.float64), counted[first], voters)

    def name(self, profile: Profile, voice: int) -> str:
        """Who cast a ballot, for the notes."""
        more = int(self.voters[voice]) - 1
        name = profile.voters[self.first[voice]][:80]
        return f"{name} and {more} more" if more else name


def lottery_outcome(
    mediator: Mediator,
    profile: Profile,
    ranks: Ints,
    chances: Chances,
    slates: Iterable[Slate] | None,
    trace: Trace,
    k: int,
    priority: Sequence[int] | None,
    notes: tuple[str, ...],
) -> Outcome:
    """The outcome of a draw.

    Args:
        mediator, profile, trace, k, priority, notes: as in `Mediator.mediate` and `Outcome`.
        ranks: `(m,)` tiers of the drawn ranking.
        chances: what could have been drawn.
        slates: the slates that some draw can give, with repetitions; None if they were not followed.
    """
    tiers = tiers_of(ranks, range(profile.m) if priority is None else priority)
    order = tuple(item for tier in tiers for item in tier)
    listed = {tuple(sorted(order[:k])): None}
    for slate in chain(slates_of_tiers(tiers, k), slates or ()):
        listed.setdefault(slate)
        if len(listed) > MOST_SLATES:
            break
    return Outcome(
        mediator=mediator.label,
        items=profile.items,
        k=k,
        order=order,
        tier_indices=tiers,
        slate_indices=order[:k],
        score_values=chances.probabilities,
        trace=trace,
        tied_slates=tuple(sorted(list(listed)[:MOST_SLATES])),
        tied_winners=(order[0], *(item for item in np.flatnonzero(chances.possible).tolist() if item != order[0])),
        complete=slates is not None and len(listed) <= MOST_SLATES and chances.probabilities is not None,
        notes=notes,
    )


def ranking_of(ballot: Ints) -> Ints:
    """Tiers `(m,)` of one ballot without a gap before its unranked items."""
    m = len(ballot)
    ranked = ballot < m
    return np.where(ranked, ballot, ballot.max(where=ranked, initial=-1) + 1)


def slates_of_tiers(tiers: Iterable[Sequence[int]], k: int) -> Iterator[Slate]:
    """All slates of size k of a ranking with ties, each in item order."""
    fixed: list[int] = []
    for tier in tiers:
        room = k - len(fixed)
        if len(tier) >= room:
            for rest in combinations(sorted(tier), room):
                yield tuple(sorted([*fixed, *rest]))
            return
        fixed += tier


def all_tied(mediator: Mediator, profile: Profile, k: int, priority: Sequence[int] | None) -> Outcome:
    """The outcome where no ballot says anything: every item ties with every other, and nothing is drawn."""
    m = profile.m
    chances = Chances(np.ones(m, dtype=np.bool_), np.full(m, 1 / m))
    tier = [range(m)]
    ranks = np.zeros(m, dtype=np.int64)
    return lottery_outcome(
        mediator, profile, ranks, chances, slates_of_tiers(tier, k), Trace(mediator.rule), k, priority, ()
    )
