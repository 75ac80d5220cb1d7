"""Black's rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.batch import BatchOutcome
from simulator.mediators.base import Cost, Mediator, ranked_outcome
from simulator.mediators.borda import Borda
from simulator.mediators.condorcet import Condorcet
from simulator.mediators.families.pairwise import pairwise_support
from simulator.outcome import Memory, Outcome, Trace
from simulator.profile import Profile
from simulator.registry import register


@register("mediator", "black")
@dataclass(frozen=True)
class Black(Mediator):
    """The Condorcet winner comes first if there is one; everything else is ranked by Borda's count.

    Without a Condorcet winner the scores are Borda's, s(a) = sum_i w_i (m - r_i(a)), tied items sharing the average of
    the positions they span, and equal scores tie. With one, the ranking has no scores. Batches are one array operation.

    Source: D. Black, The Theory of Committees and Elections, 1958.
    """

    name: ClassVar[str] = "black"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "condorcet", "monotone", "pareto")
    cost: ClassVar[Cost] = "quadratic"
    batched: ClassVar[bool] = True
    rule: ClassVar[str] = "the item that beats every other item by majority, if there is one, then by Borda's count"

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Rank items by Borda's count, a Condorcet winner above all."""
        support = pairwise_support(profile)
        first = np.flatnonzero(Condorcet().scores(profile))
        if not len(first):
            points = profile.weights[:, None] * Borda().points(profile)
            trace = Trace(self.rule, contributions=points, pairwise=support)
            notes: tuple[str, ...] = ("No item beats every other item, so Borda's count decides.",)
            return ranked_outcome(self, profile, points.sum(axis=0), trace, k, priority, notes)
        notes = (f'"{profile.items[first[0]]}" beats every other item.',) if profile.m > 1 else ()
        ranks = self.batch(profile).ranks
        return ranked_outcome(self, profile, None, Trace(self.rule, pairwise=support), k, priority, notes, ranks)

    def batch(
        self, profile: Profile, *, k: int = 1, priority: Sequence[int] | None = None, seed: int = 0
    ) -> BatchOutcome:
        """Aggregate a profile with leading batch axes, without scores."""
        borda = Borda().batch(profile, k=k, priority=priority)
        first = Condorcet().scores(profile) > 0
        behind = (borda.ranks + 1) * 2  # even numbers; the Condorcet winner leaves a gap in them that is closed below
        ranks = np.where(first, 0, behind)
        taken = np.zeros((*ranks.shape[:-1], 2 * profile.m + 1), dtype=np.int64)
        np.put_along_axis(taken, ranks, 1, axis=-1)
        dense = np.take_along_axis(np.cumsum(taken, axis=-1) - 1, ranks, axis=-1)
        return BatchOutcome(self.label, profile.items, k, None, borda.priority, dense)
