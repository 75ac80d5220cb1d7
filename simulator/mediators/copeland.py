"""Copeland's rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.pairwise import Duels
from simulator.mediators.families.pairwise_rules import PairwiseScoreMediator
from simulator.profile import Floats
from simulator.registry import register


@register("mediator", "copeland")
@dataclass(frozen=True)
class Copeland(PairwiseScoreMediator):
    """An item scores one point for every item that it beats by majority, and `alpha` for every one that it ties with.

    s(a) = #{b : N(a,b) > N(b,a)} + alpha #{b : N(a,b) = N(b,a)}, where N(a,b) is the weight of the ballots that rank a
    strictly above b. A ballot that ties two items, or ranks neither, says nothing about the pair. Equal scores tie.
    Batches are one array operation.

    Attributes:
        alpha: what a tied pair counts, 1/2 by default; 1 is Llull's rule.

    Source: A. H. Copeland, A reasonable social welfare function, 1951.
    """

    alpha: float = 0.5

    name: ClassVar[str] = "copeland"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "condorcet", "monotone", "pareto")
    rule: ClassVar[str] = "s(a) = number of items that a beats by majority + alpha x number of items it ties with"

    def __post_init__(self) -> None:
        if not 0 <= self.alpha <= 1:
            raise ValueError(f"alpha is {self.alpha}, it must lie in 0..1")

    @property
    def sentence(self) -> str:
        """The rule with its alpha."""
        return f"s(a) = number of items that a beats by majority + {self.alpha:g} x number of items it ties with"

    def duel_scores(self, found: Duels) -> Floats:
        """Scores `(..., m)`."""
        wins, losses = found.beats.sum(axis=-1), found.beats.sum(axis=-2)
        return np.asarray(wins + self.alpha * (found.m - 1 - wins - losses))
