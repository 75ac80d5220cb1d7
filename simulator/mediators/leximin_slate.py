"""The leximin slate: the worst off stakeholder gets as much as possible from the slate as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost, Mediator, Need
from simulator.mediators.conversions import cast_weights, utilities
from simulator.mediators.families.slates import (
    Better,
    all_can_be_compared,
    choice_near,
    choose_by_comparing,
    item_tiers,
    search,
    slate_outcome,
)
from simulator.mediators.families.tied import Slate
from simulator.mediators.leximin import leximin_ranks
from simulator.outcome import TOLERANCE, Memory, Outcome
from simulator.profile import Floats, Ints, Profile
from simulator.registry import register


@register("mediator", "leximin_slate")
@dataclass(frozen=True)
class LeximinSlate(Mediator):
    """The slate W of k items whose utilities U_i(W) = sum of u_i(a), sorted upwards, are lexicographically greatest.

    A weight is a multiplicity, as in `leximin`. Exact while there are at most 200,000 slates, and 20 million utilities
    of ballots for them. Above that by greedy choice on the same objective followed by single swaps: no slate that
    differs in one item is better, one that differs in more may be; the outcome says so and is not `complete`. The
    ranking orders chosen and other items by the leximin rule on items. Abstentions do not count. Ballots without
    utilities are read as u = (m - average position) / (m - 1). A batch is taken one profile after another.

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
        in_order = list(range(profile.m) if priority is None else priority)
        counted, heavy = values[weights > 0], weights[weights > 0]
        if all_can_be_compared(profile.n, profile.m, k):
            choice = choose_by_comparing(counted, heavy, k, _objective, in_order)
        else:
            found = search(counted, heavy, k, _objective)
            choice = choice_near(found, counted, heavy, _objective, in_order)
        keys = [-leximin_ranks(counted, heavy).astype(np.float64)]

        def worth(slate: Slate) -> float:
            return float(counted[:, list(slate)].sum(axis=1).min(initial=np.inf)) if len(heavy) else 0.0

        return slate_outcome(self, profile, choice, values, item_tiers(choice.group, keys, 0.5), worth, in_order, notes)


def _objective(totals: Floats, weights: Floats) -> Better:
    least = totals.min(axis=0) if len(totals) else np.zeros(totals.shape[1])

    def better(among: Ints) -> Ints:
        top = least[among].max()
        ahead = among[least[among] >= top - TOLERANCE * abs(top)]
        return np.asarray(ahead if len(ahead) == 1 else ahead[leximin_ranks(totals[:, ahead], weights) == 0])

    return better
