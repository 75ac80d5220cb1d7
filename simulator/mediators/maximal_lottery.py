"""Maximal lotteries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simulator.mediators.base import Cost
from simulator.mediators.conversions import cast_weights
from simulator.mediators.families.lottery import Chances, LotteryMediator, Slate, all_tied, lottery_outcome
from simulator.mediators.families.margin_game import maximal_lottery
from simulator.mediators.families.pairwise import Duels, duels
from simulator.outcome import Memory, Outcome, Trace
from simulator.profile import Floats, Profile
from simulator.registry import register
from simulator.seeds import generator

MOST_LOTTERIES = 200
_SMALLEST = 1e-12


@register("mediator", "maximal_lottery")
@dataclass(frozen=True)
class MaximalLottery(LotteryMediator):
    """An item is drawn by the probabilities that no other lottery beats by majority on average.

    p such that sum_b p(b) M(a,b) <= 0 for every item a, with the majority margins M(a,b) = N(a,b) - N(b,a): an optimal
    mixed strategy of the margin game, by linear programming. Of several maximal lotteries it takes the one of greatest
    entropy, which treats items alike that the margins treat alike. A Condorcet winner has probability 1. `scores` holds
    p. The next place is drawn in the same way from the items that are left, and so on; items that no ballot tells apart
    tie. `slates` are followed through at most 200 lotteries, beyond which the outcome is not `complete`. A batch is
    taken one profile after another.

    Sources: G. Kreweras, Aggregation of preference orderings, 1965; P. C. Fishburn, Probabilistic social choice based
    on simple voting comparisons, 1984; F. Brandl, F. Brandt and H. G. Seedig, Consistent probabilistic social choice,
    2016.
    """

    name: ClassVar[str] = "maximal_lottery"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "condorcet", "pareto")
    cost: ClassVar[Cost] = "cubic"
    rule: ClassVar[str] = "drawn by P(a first), over which no item has a majority on average; then the next place"

    def chances(self, profile: Profile) -> Chances:
        """What can come first, of one profile."""
        if not (cast_weights(profile) > 0).any():
            return Chances(np.ones(profile.m, dtype=np.bool_), np.full(profile.m, 1 / profile.m))
        return _Draws(duels(profile)).first()

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Draw the items, place after place."""
        if not (cast_weights(profile) > 0).any():
            return all_tied(self, profile, k, priority)
        pairs = duels(profile)
        draws = _Draws(pairs)
        ranks = np.zeros(profile.m, dtype=np.int64)
        rng = generator(seed, self.name)
        left, place = tuple(range(profile.m)), 0
        while draws.told_apart(left):
            upto = np.cumsum(draws.lottery(left))
            drawn = left[min(int(np.searchsorted(upto, rng.random() * upto[-1], side="right")), len(left) - 1)]
            ranks[drawn] = place
            left, place = tuple(item for item in left if item != drawn), place + 1
        ranks[list(left)] = place
        trace = Trace(self.rule, pairwise=np.asarray(pairs.support, dtype=np.float64))
        return lottery_outcome(self, profile, ranks, draws.first(), draws.slates(k), trace, k, priority, ())


class _Draws:
    """The maximal lotteries of one profile and of what is left of it, each computed once."""

    def __init__(self, pairs: Duels) -> None:
        self.support: NDArray[Any] = pairs.support
        self.margins = np.asarray(pairs.margins, dtype=np.float64)
        self.known: dict[tuple[int, ...], Floats] = {}

    def first(self) -> Chances:
        probabilities = self.lottery(tuple(range(len(self.margins))))
        return Chances(probabilities > 0, probabilities)

    def told_apart(self, left: tuple[int, ...]) -> bool:
        """Whether any ballot prefers one of these items to another."""
        return len(left) > 1 and bool(self.support[np.ix_(left, left)].any())

    def lottery(self, left: tuple[int, ...]) -> Floats:
        """The probabilities of the items that are left."""
        if left not in self.known:
            probabilities = maximal_lottery(self.margins[np.ix_(left, left)])
            self.known[left] = np.where(probabilities > _SMALLEST, probabilities, 0.0)
        return self.known[left]

    def slates(self, k: int) -> Iterator[Slate] | None:
        """The slates that can be drawn; None if there are too many lotteries to follow."""
        layer: dict[frozenset[int], None] = {frozenset(): None}
        open_: list[tuple[frozenset[int], tuple[int, ...]]] = []  # filled up in every way: nothing tells these apart
        for _ in range(k):
            after: dict[frozenset[int], None] = {}
            for taken in layer:
                left = tuple(item for item in range(len(self.margins)) if item not in taken)
                if not self.told_apart(left):
                    open_.append((taken, left))
                    continue
                after.update(dict.fromkeys(taken | {left[place]} for place in np.flatnonzero(self.lottery(left))))
                if len(self.known) > MOST_LOTTERIES:
                    return None
            layer = after
        rests = (combinations(left, k - len(taken)) for taken, left in open_)
        filled = ((*taken, *more) for (taken, _), rest in zip(open_, rests, strict=True) for more in rest)
        return (tuple(sorted(slate)) for slate in chain(layer, filled))
