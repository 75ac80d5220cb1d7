"""Perpetual proportional approval voting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.mediators.families.choices import State
from simulator.mediators.families.perpetual import PerpetualMediator
from simulator.mediators.families.remembering import support
from simulator.profile import Floats
from simulator.registry import register


@register("mediator", "perpetual_pav")
@dataclass(frozen=True)
class PerpetualPav(PerpetualMediator):
    """Choose the item with the greatest sum of w_i / (1 + s_i) over the ballots that approve it.

    s_i is the number of items chosen so far, in all rounds, that ballot i approves; 0 for a newcomer. With k > 1 this
    is sequential PAV that goes on from round to round: the dynamic proportional ranking. Its dry spells are not
    bounded. `families/remembering.py` says what k, weights, ties, memory and cost mean for all perpetual rules.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.

    Sources: M. Lackner, Perpetual voting: fairness in long-term decision making, AAAI 2020; as rankings: J. Israel and
    M. Brill, Dynamic proportional rankings, IJCAI 2021.
    """

    name: ClassVar[str] = "perpetual_pav"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone")
    fields: ClassVar[Mapping[str, float]] = {"satisfaction": 0.0}
    rule: ClassVar[str] = (
        "choose in turn the item with the greatest sum, over the ballots that approve it, of "
        "weight / (1 + number of items the ballot has got so far, in all rounds)"
    )

    def criteria(self, state: State, columns: Floats, weights: Floats) -> tuple[Floats, ...]:
        """Sum of w / (1 + s) over supporters."""
        return (support(weights / (1 + state["satisfaction"]), columns),)

    def after(self, state: State, gains: Floats, weights: Floats) -> State:
        """One more approved item for every supporter."""
        return {"satisfaction": state["satisfaction"] + gains}
