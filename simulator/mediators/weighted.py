"""A ranking rule whose ballots weigh more the less they got their way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from simulator.mediators.base import Mediator
from simulator.mediators.conversions import cast_weights
from simulator.mediators.families.inner import effective, inner_rule, take_after
from simulator.mediators.families.memory import nested, recalled, remembered
from simulator.mediators.families.reweighting import UPDATES, Pace
from simulator.metrics.kendall_distance import kendall_distance
from simulator.outcome import Memory, Outcome
from simulator.profile import Floats, Profile
from simulator.registry import register


@register("mediator", "weighted")
@dataclass(frozen=True)
class Weighted(Mediator):
    """Any rule that uses weights, with weights that memory changes from round to round.

    A ballot counts with its own weight times a factor w_i: 1 in the first round and for a newcomer, then by `update`,
    with K the Kendall distance between the ballot and the collective ranking: the number of pairs of items that they
    order differently, 1/2 for a pair that just one of them ties.

    - `constant`: w stays 1. `myopic`: K of the last round (1 for all where all are 0).
    - `cumulative`: w + K. `squared`: w + K^2.
    - `unit_cost`: w + 1 unless satisfied. `reset`: w + 1 unless satisfied, else 1. `pav`: w / (w + 1) if satisfied.
    - `exponential`: w exp(eta (target - sat)), sat = 1 - K / (m (m - 1) / 2), scaled to a mean of 1 over the ballots.

    Satisfied means that K is at most `threshold` of all pairs m (m - 1) / 2. Abstentions and ballots without weight of
    their own keep their factor. Memory holds the factors by voter, and beside them what the rule itself remembers.
    Ties, trace and cost are the rule's; `batch` loops, all factors being 1.

    Attributes:
        choice: a mediator with its parameters, such as kemeny or `copeland(alpha=1)`.
        update: how factors change.
        threshold: share of the pairs that may be ordered differently for a satisfied ballot.
        eta: how fast `exponential` changes factors.
        target: the share of pairs that `exponential` wants everyone to see ordered its way.

    Raises:
        ValueError: there is no such rule, it cannot use weights, or a number is out of range.

    Sources: the updates of M. Lackner, Perpetual voting: fairness in long-term decision making, AAAI 2020, carried over
    to rankings; `exponential`: S. Arora, E. Hazan and S. Kale, The multiplicative weights update method, 2012.
    """

    choice: str = "borda"
    update: Literal["constant", "myopic", "cumulative", "squared", "unit_cost", "reset", "pav", "exponential"] = (
        "cumulative"
    )
    threshold: float = 0.5
    eta: float = 1.0
    target: float = 0.5

    name: ClassVar[str] = "weighted"
    rule: ClassVar[str] = (
        "by the rule `choice`, each ballot weighing its own weight times a factor that `update` changes by how far the "
        "outcomes of earlier rounds were from it"
    )

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise ValueError(f"threshold is {self.threshold}, it must lie in 0..1")
        if not (0 <= self.eta <= 100 and 0 <= self.target <= 1):
            raise ValueError(f"eta is {self.eta} and target {self.target}; they must lie in 0..100 and 0..1")
        if self.update not in UPDATES:
            raise ValueError(f"update is {self.update!r}; it can be {', '.join(UPDATES)}")
        take_after(self, self.inner)

    @cached_property
    def inner(self) -> Mediator:
        """The rule that chooses."""
        return inner_rule(self.name, self.choice)

    def first_place_points(self, profile: Profile, outcome: Outcome) -> Floats | None:
        """Those of the rule at the changed weights: the factors of other ballots stay what they are."""
        return self.inner.first_place_points(effective(profile, outcome.trace.weights), outcome)

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Aggregate at the changed weights and remember how far the outcome is from each ballot."""
        factors = recalled(memory, "factor", profile.voters, 1.0)
        if factors.min(initial=0.0) < 0:
            raise ValueError("memory: a 'factor' must be at least 0")
        weights = profile.weights * factors
        turned = effective(profile, weights)
        outcome = self.inner.mediate(turned, nested(memory, "choice"), k=k, priority=priority, seed=seed)
        counted = np.flatnonzero(cast_weights(profile) > 0)
        ranks = profile.ranks[counted]
        distance = kendall_distance(ranks, outcome.tier_numbers) if len(ranks) else np.zeros(0)
        pace = Pace(self.threshold, self.eta, self.target)
        changed = UPDATES[self.update](factors[counted], distance, profile.m * (profile.m - 1) / 2, pace)
        voters = [profile.voters[voter] for voter in counted]
        trace = replace(
            outcome.trace, rule=f"{outcome.trace.rule}, at weights that earlier rounds changed", weights=turned.weights
        )
        held = {"factor": remembered(memory, "factor", voters, changed), "choice": dict(outcome.memory)}
        return replace(outcome, mediator=self.label, trace=trace, memory={**(memory or {}), **held})
