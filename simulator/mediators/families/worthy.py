"""Rules that choose the slate of the greatest worth, the worth being one number made of the ballots' utilities."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost, Mediator, Need
from simulator.mediators.conversions import cast_weights, nonnegative_utilities
from simulator.mediators.families.slate_search import best_slates
from simulator.mediators.families.slates import item_tiers, slate_outcome
from simulator.outcome import TOLERANCE, Memory, Outcome
from simulator.profile import Floats, Ints, Profile


@dataclass(frozen=True)
class WorthSlateMediator(Mediator):
    """A rule that maximises a number over slates; write `worth` and say what its search guarantees.

    Exact while there are at most 200,000 slates; above that greedy choice on the same objective followed by single
    swaps, and the outcome says so and is not `complete`. The ranking orders chosen and other items by their total
    utility. Abstentions do not count. Ballots without utilities are read as u = (m - average position) / (m - 1). A
    batch is taken one profile after another.

    Attributes:
        guarantee: what is known about a slate that search finds, in words.

    Raises:
        ValueError: a utility is negative.
    """

    needs: ClassVar[Need] = "utility"
    properties: ClassVar[tuple[str, ...]] = ("anonymous",)
    cost: ClassVar[Cost] = "exponential"
    guarantee: ClassVar[str] = "a better slate that differs in two or more items may exist"

    @abstractmethod
    def worth(self, values: Floats, weights: Floats, slates: Ints) -> Floats:
        """Worth `(c,)` of slates.

        Args:
            values: `(n, m)` utilities of the ballots that count, at least one.
            weights: `(n,)` their weights, all positive.
            slates: `(c, j)` item indices, j up to k.
        """

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Choose the slate."""
        values, notes = nonnegative_utilities(profile, self.name)
        weights = cast_weights(profile)
        in_order = list(range(profile.m) if priority is None else priority)
        counted = values[weights > 0]
        heights = weights[weights > 0] if self.uses_weights else np.ones(len(counted))

        def worth(slates: Ints) -> Floats:
            return self.worth(counted, heights, slates) if len(heights) else np.zeros(len(slates))

        choice = best_slates(worth, profile.m, k, in_order, self.guarantee)
        totals = heights @ counted
        ranks = item_tiers(choice.group, [totals], TOLERANCE * float(totals.max()))
        return slate_outcome(
            self, profile, choice, values, ranks, lambda slate: float(worth(np.array([slate]))[0]), in_order, notes
        )
