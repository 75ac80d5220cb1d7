"""Instant runoff, also called the alternative vote, ranked choice or Hare's rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from simulator.mediators.base import Cost
from simulator.mediators.families.elimination import EliminationMediator, Tally
from simulator.mediators.families.first_choices import CastBallots, FirstChoices, Piles
from simulator.profile import Bools, Floats, Ints
from simulator.registry import register


@register("mediator", "irv")
@dataclass(frozen=True)
class InstantRunoff(EliminationMediator):
    """The item with the fewest first choices goes, its ballots move to their next choice, until one item is left.

    first(a) = sum of w_i over the ballots i whose best item, among those that are left, is a. A ballot that ties
    several best items is shared equally among them. Unranked items are nobody's choice: a ballot of which no ranked
    item is left is exhausted and drops out. Of tied items one goes at a time, in every order (parallel universes);
    items that no ballot puts first go first of all, tied. The ranking is the reverse order of elimination.

    No stop at a majority is needed: an item with more than half of the first choices can never be the one that goes.
    It is not monotone, and a ballot can do better by staying away (no-show paradox).

    Sources: W. R. Ware, Application of Mr. Hare's system of voting to the nomination of overseers of Harvard College,
    1871; parallel universes: V. Conitzer, M. Rognlie and L. Xia, Preference functions that score rankings and maximum
    likelihood estimation, 2009.
    """

    name: ClassVar[str] = "irv"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral")
    cost: ClassVar[Cost] = "quadratic"
    rule: ClassVar[str] = (
        "the item with the least weight of first choices is eliminated and its ballots move to their next choice, "
        "until one item is left"
    )

    def first_count(self, ballots: CastBallots) -> Tally:
        """First choices among all items."""
        m = ballots.ranks.shape[1]
        choices = FirstChoices(ballots.ranks, ballots.ranks == m)
        return FirstPlaces(choices, choices.start(np.ones(m, dtype=np.bool_), ballots.weights))

    def hopeless(self, tally: Tally) -> Bools:
        """Items that are nobody's first choice, unless all are."""
        nobodys: Bools = tally.totals[0] == 0
        return nobodys & ~nobodys.all()


@dataclass(frozen=True)
class FirstPlaces(Tally):
    """How many first choices every item has."""

    choices: FirstChoices
    piles: Piles

    @property
    def left(self) -> Bools:
        """The items that are left."""
        return self.piles.left

    @property
    def totals(self) -> Floats:
        """The weight of the ballots whose first choice an item is."""
        return self.piles.totals

    def take(self, rows: Ints) -> Self:
        """Some of the rows."""
        return type(self)(self.choices, self.piles.take(rows))

    def without(self, items: Ints) -> Self:
        """The ballots of the item move to their next choice."""
        return type(self)(self.choices, self.choices.without(self.piles, items))
