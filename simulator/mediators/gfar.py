"""GFAR: a group's list that is balanced from its first item on."""

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


@register("mediator", "gfar")
@dataclass(frozen=True)
class Gfar(Mediator):
    """Choose, again and again, the item most likely to be the first relevant one for a member of the group.

    argmax_a sum_i p(i) p(a|i) prod_{b in S} (1 - p(b|i)), S the items chosen so far, p(i) = w_i / sum w and
    p(a|i) = (m - r_i(a)) / sum_b (m - r_i(b)): a ballot's Borda points as shares; tied items share the average of the
    positions they span. The order of choice is the ranking, its first k items the slate. Every way to break ties is
    followed: `slates` and `winners` list what some way gives, items whose order depends on it share a tier. Abstentions
    do not count. The paper ranks the candidates by predicted ratings; here a ballot's ranking is taken. A batch is
    taken one profile after another.

    Source: M. Kaya, D. Bridge and N. Tintarev, Ensuring fairness in group recommendations by rank-sensitive balancing
    of relevance, 2020.
    """

    name: ClassVar[str] = "gfar"
    properties: ClassVar[tuple[str, ...]] = (
        "anonymous",
        "neutral",
        "monotone",
        "pareto",
        "participation",
        "committee monotone",
    )
    rule: ClassVar[str] = (
        "choose in turn the item with the greatest sum, over ballots, of share of weight x relevance x product of "
        "(1 - relevance) of the items chosen before; relevance = share of the ballot's Borda points"
    )

    def first_place_points(self, profile: Profile, outcome: Outcome) -> Floats | None:
        """Weight x relevance: nothing is chosen before the first item."""
        return cast_weights(profile)[:, None] * relevance(profile)

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Choose items one by one."""
        weights = cast_weights(profile)
        counted = weights > 0
        shares = weights[counted] / max(weights.sum(), np.finfo(float).tiny)
        in_order = list(range(profile.m) if priority is None else priority)
        everything, nothing_yet = np.ones(profile.m, dtype=np.bool_), {"unserved": np.ones(int(counted.sum()))}
        picks = choose(_Balance(), nothing_yet, relevance(profile)[counted], everything, shares, in_order, k)
        steps = tuple(
            Step(profile.items[item], value, f"tied with {ties} more" if ties else "")
            for item, value, ties in zip(picks.chosen, picks.values, picks.ties, strict=True)
        )
        return picked_outcome(self, profile, picks, Trace(self.rule, steps=steps), k, (), {})


def relevance(profile: Profile) -> Floats:
    """p(a|i), `(..., n, m)`: every ballot's Borda points divided by their sum; 1 for a single item."""
    m = profile.m
    if m == 1:
        return np.ones(profile.ranks.shape)
    return (m - positions(profile.ranks)) / (m * (m - 1) / 2)


class _Balance:
    """The state is how likely it is that nothing chosen so far is relevant for a ballot."""

    def criteria(self, state: State, columns: Floats, weights: Floats) -> Sequence[Floats]:
        """How likely an item is the first relevant one."""
        return (((weights * state["unserved"])[..., None, :] @ columns)[..., 0, :],)

    def after(self, state: State, gains: Floats, weights: Floats) -> State:
        """Less likely by the chosen item's relevance."""
        return {"unserved": state["unserved"] * (1 - gains)}
