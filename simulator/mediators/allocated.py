"""Allocation before choice: whose ballots count in a round, and how much, depends on who was treated fairly so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np

from simulator.allocation.agreement import agreement
from simulator.allocation.base import Allocation, one_of
from simulator.allocation.strategies import strategy
from simulator.mediators.base import Mediator
from simulator.mediators.conversions import Notes, cast_weights
from simulator.mediators.families.inner import effective, inner_rule, take_after
from simulator.mediators.families.memory import nested
from simulator.outcome import Memory, Outcome
from simulator.profile import Floats, Ints, Profile
from simulator.registry import register
from simulator.seeds import child_seed


@dataclass(frozen=True, slots=True)
class _Shares:
    """Weights `(n,)`, and what they come from; and how they come about where the allocation did not give them."""

    weights: Floats
    fairness: Floats
    compatibility: Floats
    notes: Notes = ()


@register("mediator", "allocated")
@dataclass(frozen=True)
class Allocated(Mediator):
    """Any rule that uses weights, with weights that an allocation gives in each round.

    The fairness m_i of a stakeholder is what its ballot says of it, else the mean agreement (rank-biased overlap) of
    the slates delivered in the last `window` rounds with its own ballots of those rounds, else 1: nothing is owed to a
    newcomer. Its compatibility c_i is what its ballot says, else 1. The allocation makes weights of both, times the
    ballots' own weights; a ballot that gets 0 is left out of the choice.

    In a round without any history `cold_start` decides: `all` counts every ballot at its own weight, `uniform` draws
    one by their weights, `nobody` takes every m_i as 1. Where nobody gets any weight and no recommender has one, all
    ballots count at their own weights, and the notes say so. Memory holds the last agreements by voter, in the order of
    rounds, and beside them what the rule itself remembers. Ties, trace and cost are the rule's; `batch` loops.

    Attributes:
        allocation: fairness_lottery, least_fair, most_compatible, product, product_lottery, static, static_lottery,
            `weighted_product(fairness_exponent=1, compatibility_exponent=2)` or `weighted_lottery` with the same.
        choice: a mediator with its parameters, such as borda or `copeland(alpha=1)`.
        window: how many rounds m_i looks back.
        floor: what a ballot weighs at least, times its own weight.
        cold_start: whose ballots count before there is any history.
        recommender: the voter whose list takes part in every choice and in no allocation; "" = none.
        recommender_weight: what that list weighs; products and lotteries give weights that sum to 1.
        persistence: p of the rank-biased overlap; the greater, the more later places count.

    Raises:
        ValueError: there is no such allocation or rule, the rule cannot use weights, or a number is out of range.

    Source: R. Burke, N. Mattei, V. Grozin, A. Voida and N. Sonboli, Multi-agent social choice for dynamic fairness-
    aware recommendation, UMAP 2022; SCRUF-D, https://github.com/that-recsys-lab/scruf_d.
    """

    allocation: str = "product"
    choice: str = "borda"
    window: int = 10
    floor: float = 0.0
    cold_start: Literal["all", "uniform", "nobody"] = "all"
    recommender: str = ""
    recommender_weight: float = 1.0
    persistence: float = 0.9

    name: ClassVar[str] = "allocated"
    rule: ClassVar[str] = (
        "by the rule `choice`, each ballot at the weight that `allocation` gives it by how fairly it was treated so far"
    )

    def __post_init__(self) -> None:
        if self.window < 1:
            raise ValueError(f"window is {self.window}, it must be at least 1 round")
        if not (0 <= self.floor <= 1e6 and 0 <= self.recommender_weight <= 1e6):
            raise ValueError("floor and recommender_weight must lie in 0..1000000")
        if not 0 < self.persistence < 1:
            raise ValueError(f"persistence is {self.persistence}, it must lie between 0 and 1")
        if self.cold_start not in ("all", "uniform", "nobody"):
            raise ValueError(f"cold_start is {self.cold_start!r}; it can be all, uniform, nobody")
        take_after(self, self.inner)
        strategy(self.allocation)  # a wrong one is an error now, not in the first round

    @cached_property
    def inner(self) -> Mediator:
        """The rule that chooses."""
        return inner_rule(self.name, self.choice)

    @cached_property
    def shares(self) -> Allocation:
        """The strategy that gives weights."""
        return strategy(self.allocation)

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Give weights, choose, and remember how far the slate agrees with each ballot."""
        past = self._past(memory, profile.voters)
        counted = np.flatnonzero(cast_weights(profile) > 0)
        agents = np.array([i for i in counted.tolist() if profile.voters[i] != self.recommender], dtype=np.int64)
        given = self._weights(profile, past, agents, len(agents) < len(counted), seed)
        turned = effective(profile, given.weights)
        outcome = self.inner.mediate(turned, nested(memory, "choice"), k=k, priority=priority, seed=seed)
        fresh = agreement(profile.ranks[agents], np.array(outcome.slate_indices), self.persistence).tolist()
        held: dict[str, Any] = {} if memory is None else dict(memory)
        held["agreement"] = {
            **held.get("agreement", {}),
            **{profile.voters[i]: [*past[i], new][-self.window :] for i, new in zip(agents, fresh, strict=True)},
        }
        held["choice"] = dict(outcome.memory)
        trace = replace(
            outcome.trace,
            rule=f"{outcome.trace.rule}, at weights that {self.allocation} allocates",
            weights=turned.weights,
            standing={**outcome.trace.standing, "fairness": given.fairness, "compatibility": given.compatibility},
        )
        notes = (*given.notes, *outcome.notes)
        return replace(outcome, mediator=self.label, trace=trace, notes=notes, memory=held)

    def _past(self, memory: Memory | None, voters: Sequence[str]) -> list[list[float]]:
        held = nested(memory, "agreement") or {}
        past = [held.get(voter, []) for voter in voters]
        if not all(isinstance(own, list) and all(map(_is_share, own)) for own in past):
            raise ValueError("memory: 'agreement' must hold a list of numbers in 0..1 for each voter")
        return past

    def _weights(
        self, profile: Profile, past: list[list[float]], agents: Ints, has_recommender: bool, seed: int
    ) -> _Shares:
        """Weights of all ballots; those of agents as the strategy allocates them."""
        own = profile.weights[agents]
        fairness = np.array([float(np.mean(values)) if values else 1.0 for values in past])
        cold = not any(past) and profile.fairness is None
        compatibility = np.ones(profile.n)
        if profile.fairness is not None:
            fairness = np.where(np.isnan(profile.fairness), fairness, profile.fairness)
        if profile.compatibility is not None:
            compatibility = np.where(np.isnan(profile.compatibility), 1.0, profile.compatibility)
        draw = child_seed(seed, "allocation")
        notes: Notes = ()
        if cold and self.cold_start == "all":
            shares, notes = own, ("No round has gone before: all ballots count at their own weights.",)
        elif cold and self.cold_start == "uniform":
            shares, notes = (
                one_of(np.ones(len(agents)), own, draw),
                ("No round has gone before: one ballot was drawn.",),
            )
        else:
            shares = self.shares.allocate(fairness[agents], compatibility[agents], own, draw)
        shares = np.maximum(shares, self.floor * own)
        if not shares.any() and not (has_recommender and self.recommender_weight > 0):
            shares, notes = own, ("The allocation gives nobody any weight: all ballots count at their own weights.",)
        weights = np.zeros(profile.n)
        weights[agents] = shares
        if has_recommender:
            weights[profile.voters.index(self.recommender)] = self.recommender_weight
        return _Shares(weights, fairness, compatibility, notes)


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value <= 1
