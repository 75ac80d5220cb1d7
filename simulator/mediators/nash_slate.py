"""The slate of greatest Nash welfare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.batch import BatchOutcome
from simulator.mediators.base import Cost, Mediator, Need
from simulator.mediators.conversions import cast_weights, nonnegative_utilities
from simulator.mediators.families.nash_search import nash_keys, search
from simulator.mediators.families.slates import (
    Better,
    all_can_be_compared,
    choice_near,
    choose_by_comparing,
    item_tiers,
    slack_of,
    slate_outcome,
)
from simulator.mediators.families.tied import Slate
from simulator.outcome import TOLERANCE, Memory, Outcome
from simulator.profile import Floats, Ints, Profile
from simulator.registry import register


@register("mediator", "nash_slate")
@dataclass(frozen=True)
class NashSlate(Mediator):
    """The slate W of k items with the greatest product of utilities: argmax prod_i U_i(W)^{w_i}, U_i(W) = sum u_i(a).

    Zeros: the slate gives something to as much weight as possible first, then the product over those is maximised.
    Exact while there are at most 200,000 slates, and 20 million utilities of ballots for them. Above that by greedy
    choice on the same objective followed by single swaps: no slate that differs in one item is better, one that differs
    in more may be; the outcome says so and is not `complete`. The ranking orders chosen and other items by the Nash
    rule on items. Abstentions do not count. Ballots without utilities are read as u = (m - average position) / (m - 1).
    A batch is one array operation where slates are searched; it loops where all slates are compared, and over profiles
    with ties.

    Raises:
        ValueError: a utility is negative.

    Source: I. Caragiannis et al., The unreasonable fairness of maximum Nash welfare, 2016.
    """

    name: ClassVar[str] = "nash_slate"
    needs: ClassVar[Need] = "utility"
    properties: ClassVar[tuple[str, ...]] = ("anonymous",)
    cost: ClassVar[Cost] = "exponential"
    batched: ClassVar[bool] = True
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
        given, notes = nonnegative_utilities(profile, self.name)
        weights = cast_weights(profile)
        in_order = list(range(profile.m) if priority is None else priority)
        values, counted = given[weights > 0], weights[weights > 0]
        if all_can_be_compared(profile.n, profile.m, k):
            choice = choose_by_comparing(values, counted, k, _objective, in_order)
        else:
            slates, _ = search(values[None], counted[None], k)
            choice = choice_near(slates[0], values, counted, _objective, in_order)
        ranks = item_tiers(choice.group, nash_keys(values, counted), slack_of(counted))

        def worth(slate: Slate) -> float:
            totals = values[:, list(slate)].sum(axis=1)
            if not len(totals) or not totals.all():
                return 0.0
            return float(np.exp(counted @ np.log(totals) / counted.sum()))

        return slate_outcome(self, profile, choice, given, ranks, worth, in_order, notes)

    def batch(
        self, profile: Profile, *, k: int = 1, priority: Sequence[int] | None = None, seed: int = 0
    ) -> BatchOutcome:
        """Choose the slates of a profile with leading batch axes."""
        if all_can_be_compared(profile.n, profile.m, k):
            return super().batch(profile, k=k, priority=priority, seed=seed)
        in_order = list(range(profile.m) if priority is None else priority)
        values, weights = nonnegative_utilities(profile, self.name)[0], cast_weights(profile)
        values, weights = values.reshape(-1, *values.shape[-2:]), weights.reshape(-1, weights.shape[-1])
        slates, tied = search(values, weights, k)
        group = np.full((len(values), profile.m), 2)
        np.put_along_axis(group, slates, 0, axis=1)
        slack = TOLERANCE * weights.sum(axis=1, keepdims=True)
        ranks = item_tiers(group, nash_keys(values, weights), slack)
        order = np.asarray(in_order)[np.argsort(ranks[:, in_order], axis=1, kind="stable")]
        for place, one in enumerate(profile.singles() if tied.any() else ()):
            if tied[place]:
                outcome = self.mediate(one, k=k, priority=in_order)
                ranks[place], order[place] = outcome.tier_numbers, outcome.order
        shape = (*profile.ranks.shape[:-2], profile.m)
        return BatchOutcome(
            self.label, profile.items, k, None, in_order, ranks.reshape(shape), np.asarray(order).reshape(shape)
        )


def _objective(totals: Floats, weights: Floats) -> Better:
    served, logs = nash_keys(totals, weights)
    slack = slack_of(weights)

    def better(among: Ints) -> Ints:
        most = among[served[among] >= served[among].max() - slack]
        return np.asarray(most[logs[most] >= logs[most].max() - slack])

    return better
