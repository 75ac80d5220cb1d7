"""Aggregate one profile, or a batch of them, by one rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulator import registry
from simulator.batch import BatchOutcome
from simulator.mediators.base import Mediator
from simulator.outcome import Memory, Outcome
from simulator.profile import Profile
from simulator.tie import priority


def mediate(
    profile: Profile,
    mediator: str | Mapping[str, Any] | Mediator,
    *,
    k: int = 1,
    tie: str = "item_order",
    seed: int = 0,
    memory: Memory | None = None,
) -> Outcome:
    """Aggregate the ballots of one round into one outcome.

    Args:
        profile: the ballots, without batch axes (array functions such as `ScoreMediator.scores` take batches).
        mediator: a name, `name(key=value)`, `{"name": ..., key: value}`, or a `Mediator`.
        k: how many items are delivered, 1..m.
        tie: how tied items are ordered in what is delivered, see `simulator.tie.priority`. Never hides a tie.
        seed: for the tie rule `seeded` and for lotteries.
        memory: `memory` of the last outcome, for rules that remember.

    Raises:
        ValueError: k is out of range, the profile has batch axes, or there is no such mediator, parameter or tie rule.
    """
    if profile.ranks.ndim != 2:
        shape = profile.ranks.shape
        raise ValueError(f"one profile at a time: ranks have shape {shape}, expected (n, m); mediate_batch takes them")
    rule, order = _ready(profile, mediator, k, tie, seed)
    outcome: Outcome = rule.mediate(profile, memory, k=k, priority=order, seed=seed)
    return outcome


def mediate_batch(
    profile: Profile,
    mediator: str | Mapping[str, Any] | Mediator,
    *,
    k: int = 1,
    tie: str = "item_order",
    seed: int = 0,
) -> BatchOutcome:
    """Aggregate a batch of profiles with one rule; arguments as for `mediate`, the profile with leading batch axes.

    A rule whose `batched` is false takes one profile after another.

    Raises:
        ValueError: as for `mediate`.
    """
    rule, order = _ready(profile, mediator, k, tie, seed)
    return rule.batch(profile, k=k, priority=order, seed=seed)


def _ready(
    profile: Profile, mediator: str | Mapping[str, Any] | Mediator, k: int, tie: str, seed: int
) -> tuple[Mediator, list[int]]:
    rule = mediator if isinstance(mediator, Mediator) else registry.create("mediator", mediator)
    if not 1 <= k <= profile.m:
        raise ValueError(f"k is {k}; it must lie in 1..{profile.m}, the number of items")
    return rule, priority(tie, profile.m, seed=seed).tolist()
