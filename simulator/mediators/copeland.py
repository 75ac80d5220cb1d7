"""Copeland's rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost, Mediator, ranked_outcome
from simulator.mediators.families.pairwise import majority, pairwise_support
from simulator.outcome import Memory, Outcome, Trace
from simulator.profile import Floats, Profile
from simulator.registry import register


@register("mediator", "copeland")
@dataclass(frozen=True)
class Copeland(Mediator):
    """An item scores one point for every item that it beats by majority, and `alpha` for every one that it ties with.

    s(a) = #{b : N(a,b) > N(b,a)} + alpha #{b : N(a,b) = N(b,a)}, where N(a,b) is the weight of the ballots that rank a
    strictly above b. A ballot that ties two items, or ranks neither, says nothing about the pair.

    Attributes:
        alpha: what a tied pair counts, 1/2 by default; 1 is Llull's rule.

    Source: A. H. Copeland, A reasonable social welfare function, 1951.
    """

    alpha: float = 0.5

    name: ClassVar[str] = "copeland"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "pareto", "condorcet")
    cost: ClassVar[Cost] = "quadratic"
    rule: ClassVar[str] = "s(a) = number of items that a beats by majority + alpha x number of items it ties with"

    def __post_init__(self) -> None:
        if not 0 <= self.alpha <= 1:
            raise ValueError(f"alpha is {self.alpha}, it must lie in 0..1")

    def scores(self, profile: Profile) -> Floats:
        """Scores `(..., m)`; batch axes are one array operation."""
        return self._scores(pairwise_support(profile), profile.weights)

    def _scores(self, support: Floats, weights: Floats) -> Floats:
        beats = majority(support, weights)
        wins, losses = beats.sum(axis=-1), beats.sum(axis=-2)
        return np.asarray(wins + self.alpha * (support.shape[-1] - 1 - wins - losses))

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Rank items by Copeland score."""
        support = pairwise_support(profile)
        rule = f"s(a) = number of items that a beats by majority + {self.alpha:g} x number of items it ties with"
        trace = Trace(rule, pairwise=support)
        return ranked_outcome(self, profile, self._scores(support, profile.weights), trace, k, priority)
