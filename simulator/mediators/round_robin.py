"""Round robin: the stakeholders take turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Mediator
from simulator.mediators.conversions import cast_weights
from simulator.mediators.families.choices import State, choose
from simulator.mediators.families.picks import picked_outcome
from simulator.outcome import Memory, Outcome, Step, Trace
from simulator.profile import Floats, Profile, positions
from simulator.registry import register


@register("mediator", "round_robin")
@dataclass(frozen=True)
class RoundRobin(Mediator):
    """The ballots take turns, in the order in which they stand in the profile; each takes the best item that is left.

    Who starts moves on by one ballot each round, through `memory`; abstentions and ballots without weight are passed
    over, and other differences of weight do not count. The order of taking is the ranking, its first k items the slate.
    Where a ballot ties its best items, every choice is followed: `slates` and `winners` list what some way to break the
    ties gives, items whose order depends on it share a tier. A batch is taken one profile after another, each as a
    first round.

    Source: the fairness strategy of J. Masthoff, Group modeling: selecting a sequence of television items to suit a
    group of viewers, 2004; as a picking sequence, S. J. Brams and A. D. Taylor, The win-win solution, 1999.
    """

    name: ClassVar[str] = "round_robin"
    uses_weights: ClassVar[bool] = False
    properties: ClassVar[tuple[str, ...]] = ("neutral", "monotone", "committee monotone")
    rule: ClassVar[str] = "the ballots take turns, in the order given; each takes the best item that is left"

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Let the ballots take items until none is left."""
        start = int((memory or {}).get("start", 0)) % max(1, profile.n)
        turns = np.roll(np.arange(profile.n), -start)
        turns = turns[cast_weights(profile)[turns] > 0]
        in_order = list(range(profile.m) if priority is None else priority)
        whose = np.zeros(len(turns))
        whose[:1] = 1.0
        said = (profile.m - profile.ranks[turns]).astype(np.float64)
        everything = np.ones(profile.m, dtype=np.bool_)
        picks = choose(_Turns(), {"whose": whose}, said, everything, np.ones(len(turns)), in_order, k)
        places = positions(profile.ranks)
        takers = np.resize(turns, profile.m) if len(turns) else np.zeros(0, dtype=np.int64)
        steps = tuple(
            Step(profile.items[item], float(places[taker, item]), _taken(profile.voters[taker], ties))
            for item, taker, ties in zip(picks.chosen, takers.tolist(), picks.ties, strict=False)
        )
        rule = f"{self.rule}; the value of a choice is the item's position on the ballot that takes it"
        after: Memory = {"start": (start + 1) % max(1, profile.n)}
        return picked_outcome(self, profile, picks, Trace(rule, steps=steps), k, (), after)


class _Turns:
    """The ballot whose turn it is decides; the state marks it by 1."""

    def criteria(self, state: State, columns: Floats, weights: Floats) -> Sequence[Floats]:
        """How the ballot whose turn it is ranks the items."""
        return ((state["whose"][..., None, :] @ columns)[..., 0, :],)

    def after(self, state: State, gains: Floats, weights: Floats) -> State:
        """The turn of the next ballot."""
        return {"whose": np.roll(state["whose"], 1, axis=-1)}


def _taken(voter: str, ties: int) -> str:
    return f"taken by {voter[:80]}" + (f", tied with {ties} more" if ties else "")
