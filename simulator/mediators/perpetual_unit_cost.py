"""Perpetual unit-cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.mediators.families.choices import State
from simulator.mediators.families.perpetual import PerpetualMediator
from simulator.mediators.families.remembering import support
from simulator.profile import Floats
from simulator.registry import register


@register("mediator", "perpetual_unit_cost")
@dataclass(frozen=True)
class PerpetualUnitCost(PerpetualMediator):
    """Choose the item with the greatest sum of w_i x_i over its supporters; whoever does not approve it gains 1.

    x_i is 1 plus the number of decisions that ballot i did not approve; 1 for a newcomer. Its dry spells are not
    bounded. `families/remembering.py` says what k, weights, ties, memory and cost mean for all perpetual rules.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.

    Source: M. Lackner, Perpetual voting: fairness in long-term decision making, AAAI 2020.
    """

    name: ClassVar[str] = "perpetual_unit_cost"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone")
    fields: ClassVar[Mapping[str, float]] = {"losses": 0.0}
    rule: ClassVar[str] = (
        "choose in turn the item with the greatest sum, over the ballots that approve it, of "
        "weight x (1 + number of decisions so far that the ballot did not approve)"
    )

    def criteria(self, state: State, columns: Floats, weights: Floats) -> tuple[Floats, ...]:
        """Sum of w x over supporters."""
        return (support(weights * (1 + state["losses"]), columns),)

    def after(self, state: State, gains: Floats, weights: Floats) -> State:
        """One more loss for every ballot that does not approve."""
        return {"losses": state["losses"] + 1 - gains}
