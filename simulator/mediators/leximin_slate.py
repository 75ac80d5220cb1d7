"""The leximin slate: the worst off stakeholder gets as much as possible from the slate as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost, Mediator, Need
from simulator.mediators.conversions import cast_weights, utilities
from simulator.mediators.egalitarian import smallest
from simulator.mediators.families.slates import choose_slates, slate_outcome, slate_utilities
from simulator.mediators.leximin import leximin_ranks
from simulator.outcome import TOLERANCE, Memory, Outcome
from simulator.profile import Floats, Ints, Profile
from simulator.registry import register


@register("mediator", "leximin_slate")
@dataclass(frozen=True)
class LeximinSlate(Mediator):
    """The slate W of k items whose utilities U_i(W) = sum of u_i(a), sorted upwards, are lexicographically greatest.

    A weight is a multiplicity, as in `leximin`. Exact while there are at most 200,000 slates; above that greedy choice
    on the same objective followed by single swaps, and the outcome says so and is not `complete`. The ranking orders
    chosen and other items by the leximin rule on items. Abstentions do not count. Ballots without utilities are read as
    u = (m - average position) / (m - 1).

    Source: A. K. Sen, Collective Choice and Social Welfare, 1970, chapter 9*.
    """

    name: ClassVar[str] = "leximin_slate"
    needs: ClassVar[Need] = "utility"
    properties: ClassVar[tuple[str, ...]] = ("anonymous",)
    cost: ClassVar[Cost] = "exponential"
    rule: ClassVar[str] = "the slate that gives most to the worst off ballot, then to the next worst off, and so on"

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
        values, notes = utilities(profile)
        weights = cast_weights(profile)
        choice = choose_slates(values, weights, k, leximin_best)
        return slate_outcome(
            self,
            profile,
            choice,
            values,
            leximin_ranks(values, weights),
            lambda slate: float(smallest(slate_utilities(values, slate[None]), weights)[0]),
            priority,
            notes,
        )


def leximin_best(values: Floats, weights: Floats) -> Ints:
    """The columns of `values` `(n, c)` that no other column beats under leximin."""
    least = smallest(values, weights)
    top = least.max()
    ahead = np.flatnonzero(least >= top - TOLERANCE * abs(top))
    best: Ints = ahead[leximin_ranks(values[:, ahead], weights) == 0]
    return best
