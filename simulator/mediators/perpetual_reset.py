"""Perpetual reset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.mediators.families.choices import State
from simulator.mediators.families.perpetual import PerpetualMediator
from simulator.mediators.families.remembering import support
from simulator.profile import Floats
from simulator.registry import register


@register("mediator", "perpetual_reset")
@dataclass(frozen=True)
class PerpetualReset(PerpetualMediator):
    """Choose the item with the greatest sum of w_i x_i over its supporters; their x is reset to 1, all others gain 1.

    x_i is 1 plus the number of decisions since one that ballot i approved; 1 for a newcomer. Dry spells are bounded.
    `families/remembering.py` says what k, weights, ties, memory and cost mean for all perpetual rules.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.

    Source: M. Lackner, Perpetual voting: fairness in long-term decision making, AAAI 2020.
    """

    name: ClassVar[str] = "perpetual_reset"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone")
    fields: ClassVar[Mapping[str, float]] = {"waiting": 0.0}
    rule: ClassVar[str] = (
        "choose in turn the item with the greatest sum, over the ballots that approve it, of "
        "weight x (1 + number of decisions since one that the ballot approved)"
    )

    def criteria(self, state: State, columns: Floats, weights: Floats) -> tuple[Floats, ...]:
        """Sum of w x over supporters."""
        return (support(weights * (1 + state["waiting"]), columns),)

    def after(self, state: State, gains: Floats, weights: Floats) -> State:
        """Supporters wait anew, the others one decision longer."""
        return {"waiting": (state["waiting"] + 1) * (1 - gains)}
