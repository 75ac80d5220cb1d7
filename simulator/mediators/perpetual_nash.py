"""Perpetual Nash."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.choices import State
from simulator.mediators.families.perpetual import PerpetualMediator
from simulator.mediators.families.remembering import support
from simulator.profile import Floats
from simulator.registry import register


@register("mediator", "perpetual_nash")
@dataclass(frozen=True)
class PerpetualNash(PerpetualMediator):
    """Choose the item after which the product of what the ballots have got so far is greatest.

    With s_i the number of items chosen so far, this one included, that ballot i approves: maximise the weight of the
    ballots with s_i > 0, then the product of s_i^{w_i} over them. s_i is 0 for a newcomer. Its dry spells are not
    bounded. The value shown for a choice is the weight of the ballots with s_i > 0 after it. `families/remembering.py`
    says what k, weights, ties, memory and cost mean for all perpetual rules.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.

    Source: M. Lackner, Perpetual voting: fairness in long-term decision making, AAAI 2020.
    """

    name: ClassVar[str] = "perpetual_nash"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone")
    fields: ClassVar[Mapping[str, float]] = {"satisfaction": 0.0}
    rule: ClassVar[str] = (
        "choose in turn the item after which most ballots, by weight, have got anything so far, in all rounds, and "
        "then the product of what they have got is greatest"
    )

    def criteria(self, state: State, columns: Floats, weights: Floats) -> tuple[Floats, ...]:
        """The weight of the ballots that have got anything; how much the sum of w log s over them grows."""
        got = state["satisfaction"]
        served = (weights * (got > 0)).sum(axis=-1)[..., None] + support(weights * (got == 0), columns)
        growth = np.log1p(1 / np.where(got > 0, got, np.inf))
        return served, support(weights * growth, columns)

    def after(self, state: State, gains: Floats, weights: Floats) -> State:
        """One more approved item for every supporter."""
        return {"satisfaction": state["satisfaction"] + gains}
