"""Baldwin's rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from simulator.mediators.base import Cost
from simulator.mediators.families.borda_points import points_against
from simulator.mediators.families.elimination import EliminationMediator, Tally
from simulator.mediators.families.first_choices import CastBallots
from simulator.profile import Bools, Floats, Ints, Profile
from simulator.registry import register


@register("mediator", "baldwin")
@dataclass(frozen=True)
class Baldwin(EliminationMediator):
    """The item with the lowest Borda score goes, scores are counted again among those left, until one item is left.

    s(a) = sum over the other items b that are left of P(a, b), the weight of the ballots that rank a above b and half
    the weight of those that tie them; unranked items are tied last. Of tied items one goes at a time, in every order
    (parallel universes). The ranking is the reverse order of elimination.

    A Condorcet winner always has more than the mean score, so it is never eliminated. It is not monotone, and a ballot
    can do better by staying away (no-show paradox).

    Source: J. M. Baldwin, The technique of the Nanson preferential majority system of election, 1926.
    """

    name: ClassVar[str] = "baldwin"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "condorcet", "pareto")
    cost: ClassVar[Cost] = "quadratic"
    rule: ClassVar[str] = (
        "the item with the lowest Borda score is eliminated and scores are counted again among the others, until one "
        "item is left"
    )

    def first_count(self, ballots: CastBallots) -> Tally:
        """Borda scores among all items."""
        m = ballots.ranks.shape[1]
        points = points_against(Profile(tuple(map(str, range(m))), ballots.ranks, ballots.weights))
        return BordaScores(points, np.ones((1, m), dtype=np.bool_), points.sum(axis=1)[None])

    def most_in_total(self, ballots: CastBallots) -> float:
        """The score of an item that every ballot puts first."""
        m: int = ballots.ranks.shape[1]
        return ballots.total * max(1, m - 1)


@dataclass(frozen=True)
class BordaScores(Tally):
    """Borda scores among the items that are left."""

    points: Floats
    among: Bools
    scores: Floats

    @property
    def left(self) -> Bools:
        """The items that are left."""
        return self.among

    @property
    def totals(self) -> Floats:
        """The scores."""
        return self.scores

    def take(self, rows: Ints) -> Self:
        """Some of the rows."""
        return type(self)(self.points, self.among[rows], self.scores[rows])

    def without(self, items: Ints) -> Self:
        """Nobody gets points against the item any more."""
        among = self.among.copy()
        among[np.arange(len(items)), items] = False
        return type(self)(self.points, among, self.scores - self.points.T[items])
