"""Perpetual min-max dry spell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.mediators.families.choices import State
from simulator.mediators.families.perpetual import PerpetualMediator
from simulator.mediators.families.remembering import support
from simulator.profile import Floats
from simulator.registry import register


@register("mediator", "perpetual_min_dry_spell")
@dataclass(frozen=True)
class PerpetualMinDrySpell(PerpetualMediator):
    """Choose the item that most of those with the longest dry spell approve.

    d_i is the number of decisions since one that ballot i approved; 0 for a newcomer. The item with the greatest weight
    of supporters among the ballots with the greatest d_i is chosen. `families/remembering.py` says what k, weights,
    ties, memory and cost mean for all perpetual rules.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.

    Source: M. Lackner, Perpetual voting: fairness in long-term decision making, AAAI 2020.
    """

    name: ClassVar[str] = "perpetual_min_dry_spell"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone")
    fields: ClassVar[Mapping[str, float]] = {"dry_spell": 0.0}
    rule: ClassVar[str] = (
        "choose in turn the item that most ballots, by weight, among those that have waited longest for an item they "
        "approve do approve"
    )

    def criteria(self, state: State, columns: Floats, weights: Floats) -> tuple[Floats, ...]:
        """The weight of the supporters with the longest dry spell."""
        spell = state["dry_spell"]
        longest = spell == spell.max(axis=-1, keepdims=True, initial=0.0)
        return (support(weights * longest, columns),)

    def after(self, state: State, gains: Floats, weights: Floats) -> State:
        """The supporters' spell ends, the others' goes on."""
        return {"dry_spell": (state["dry_spell"] + 1) * (1 - gains)}
