"""The slate of greatest Nash welfare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from simulator.mediators.base import Cost, Mediator, Need
from simulator.mediators.conversions import cast_weights, nonnegative_utilities
from simulator.mediators.families.slates import choose_slates, slate_outcome, slate_utilities
from simulator.mediators.nash import geometric_mean, nash_best, nash_ranks
from simulator.outcome import Memory, Outcome
from simulator.profile import Profile
from simulator.registry import register


@register("mediator", "nash_slate")
@dataclass(frozen=True)
class NashSlate(Mediator):
    """The slate W of k items with the greatest product of utilities: argmax prod_i U_i(W)^{w_i}, U_i(W) = sum u_i(a).

    Zeros: the slate gives something to as much weight as possible first, then the product over those is maximised.
    Exact while there are at most 200,000 slates; above that greedy choice on the same objective followed by single
    swaps, and the outcome says so and is not `complete`. The ranking orders chosen and other items by the Nash rule on
    items. Abstentions do not count. Ballots without utilities are read as u = (m - average position) / (m - 1).

    Raises:
        ValueError: a utility is negative.

    Source: I. Caragiannis et al., The unreasonable fairness of maximum Nash welfare, 2016.
    """

    name: ClassVar[str] = "nash_slate"
    needs: ClassVar[Need] = "utility"
    properties: ClassVar[tuple[str, ...]] = ("anonymous",)
    cost: ClassVar[Cost] = "exponential"
    rule: ClassVar[str] = "the slate with the greatest geometric mean of the ballots' summed utilities, weighted"

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
        choice = choose_slates(values, weights, k, nash_best)
        ranks = nash_ranks(values, weights)
        return slate_outcome(
            self,
            profile,
            choice,
            values,
            ranks,
            lambda slate: float(geometric_mean(slate_utilities(values, slate[None]), weights)[0]),
            priority,
            notes,
        )
