"""Perpetual consensus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.choices import State
from simulator.mediators.families.perpetual import PerpetualMediator
from simulator.mediators.families.remembering import settled, support, supporters
from simulator.profile import Floats
from simulator.registry import register


@register("mediator", "perpetual_consensus")
@dataclass(frozen=True)
class PerpetualConsensus(PerpetualMediator):
    """Choose the item whose supporters have most left of what everyone is given each time; they pay for it together.

    Every ballot starts with b_i = 1. The item with the greatest sum of w_i b_i over its supporters with b_i > 0 is
    chosen; these supporters pay, each unit of weight the same share of the total weight W = sum of w_i over the ballots
    cast; then every ballot is given 1, so the sum of w_i b_i stays W. A newcomer starts with 1. Dry spells are bounded
    by a quadratic function of the number of voters. `families/remembering.py` says what k, weights, ties, memory and
    cost mean for all perpetual rules.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.

    Source: M. Lackner, Perpetual voting: fairness in long-term decision making, AAAI 2020.
    """

    name: ClassVar[str] = "perpetual_consensus"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone")
    fields: ClassVar[Mapping[str, float]] = {"balance": 1.0}
    rule: ClassVar[str] = (
        "every ballot is given 1 per decision; choose in turn the item whose supporters have most left, weighted; "
        "those with anything left pay for it in equal shares"
    )

    def criteria(self, state: State, columns: Floats, weights: Floats) -> tuple[Floats, ...]:
        """Sum of w b over supporters with b > 0."""
        return (support(weights * np.maximum(state["balance"], 0.0), columns),)

    def after(self, state: State, gains: Floats, weights: Floats) -> State:
        """Supporters with anything left pay W in equal shares per unit of weight; everyone is given 1."""
        balance = state["balance"]
        payers = gains * (balance > 0)
        paying = supporters(payers, weights)
        total = weights.sum(axis=-1)[..., None]
        share = np.where(paying > 0, total / np.where(paying > 0, paying, 1.0), 0.0)
        return {"balance": settled(balance - payers * share + 1)}
