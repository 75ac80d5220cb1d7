"""Coombs's rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import numpy as np

from simulator.mediators.base import Cost
from simulator.mediators.families.elimination import EliminationMediator, Tally
from simulator.mediators.families.first_choices import CastBallots, FirstChoices, Piles
from simulator.outcome import TOLERANCE
from simulator.profile import Bools, Floats, Ints
from simulator.registry import register


@register("mediator", "coombs")
@dataclass(frozen=True)
class Coombs(EliminationMediator):
    """An item that a majority puts first wins; else the one with the most last places goes, and so on.

    last(a) = sum of w_i over the ballots i whose worst item, among those that are left, is a. A ballot that ties
    several worst items is shared equally among them; unranked items are tied last. Of tied items one goes at a time, in
    every order (parallel universes); abstentions do not count. The ranking is the reverse order of elimination: the
    item with the majority is never eliminated, so it ends up first.

    Attributes:
        majority: `wins`, more than half of the weight as first choices among the items that are left is enough to win
            (a ballot shares its vote among tied first choices; an unranked item is nobody's); `ignored`, elimination by
            last places alone.

    It is not monotone, misses Condorcet winners, and a ballot can do better by staying away (no-show paradox).

    Sources: C. H. Coombs, A theory of data, 1964; both forms: B. Grofman and S. L. Feld, If you like the alternative
    vote (a.k.a. the instant runoff), then you ought to know about the Coombs rule, 2004.
    """

    majority: Literal["wins", "ignored"] = "wins"

    name: ClassVar[str] = "coombs"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral")
    cost: ClassVar[Cost] = "quadratic"
    rule: ClassVar[str] = (
        "the item with the most weight of last places is eliminated, but never one that more than half of the weight "
        "puts first, until one item is left"
    )

    def told(self) -> str:
        """The rule with or without its stop at a majority."""
        if self.majority == "wins":
            return self.rule
        return "the item with the most weight of last places is eliminated, until one item is left"

    def first_count(self, ballots: CastBallots) -> Tally:
        """Last places among all items."""
        m = ballots.ranks.shape[1]
        everything = np.ones(m, dtype=np.bool_)
        lasts = FirstChoices(m - ballots.ranks)
        last = lasts.start(everything, ballots.weights)
        if self.majority == "ignored":
            return LastPlaces(lasts, last)
        firsts = FirstChoices(ballots.ranks, ballots.ranks == m)
        half = (0.5 + TOLERANCE) * ballots.total
        return Protected(lasts, last, firsts, firsts.start(everything, ballots.weights), half)


@dataclass(frozen=True)
class LastPlaces(Tally):
    """How many last places every item has."""

    lasts: FirstChoices
    last: Piles

    @property
    def left(self) -> Bools:
        """The items that are left."""
        return self.last.left

    @property
    def totals(self) -> Floats:
        """The weight of the ballots that put an item last."""
        return self.last.totals

    @property
    def standing(self) -> Floats:
        """The most last places go."""
        return -self.last.totals

    def take(self, rows: Ints) -> Self:
        """Some of the rows."""
        return type(self)(self.lasts, self.last.take(rows))

    def without(self, items: Ints) -> Self:
        """The ballots of the item have another one last."""
        return type(self)(self.lasts, self.lasts.without(self.last, items))


@dataclass(frozen=True)
class Protected(LastPlaces):
    """The same, but an item that more than `half` of the weight puts first cannot go."""

    firsts: FirstChoices
    first: Piles
    half: float

    @property
    def standing(self) -> Floats:
        """The most last places go, but never a majority's first choice."""
        return np.where(self.first.totals > self.half, np.inf, -self.last.totals)

    def take(self, rows: Ints) -> Self:
        """Some of the rows."""
        return type(self)(self.lasts, self.last.take(rows), self.firsts, self.first.take(rows), self.half)

    def without(self, items: Ints) -> Self:
        """The ballots of the item have another one last, or first."""
        last, first = self.lasts.without(self.last, items), self.firsts.without(self.first, items)
        return type(self)(self.lasts, last, self.firsts, first, self.half)
