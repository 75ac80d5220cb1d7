"""Perpetual Phragmen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.choices import State
from simulator.mediators.families.perpetual import PerpetualMediator
from simulator.profile import Floats
from simulator.registry import register


@register("mediator", "perpetual_phragmen")
@dataclass(frozen=True)
class PerpetualPhragmen(PerpetualMediator):
    """Every item costs 1, borne by its supporters, those with the smallest load first; choose the cheapest to bear.

    With loads l_i, 0 at first and for a newcomer, the supporters N_c of item c can bear it at the level t_c, the
    smallest t with sum_{i in N_c} w_i max(0, t - l_i) = 1: loads below t are raised to it, none is lowered. The item
    with the smallest t_c is chosen and l_i = max(l_i, t_c) for its supporters. Dry spells are bounded.
    `families/remembering.py` says what k, weights, ties, memory and cost mean for all perpetual rules.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.

    Sources: M. Lackner, Perpetual voting: fairness in long-term decision making, AAAI 2020; M. Lackner and J. Maly,
    Proportional decisions in perpetual voting, AAAI 2023.
    """

    name: ClassVar[str] = "perpetual_phragmen"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone")
    fields: ClassVar[Mapping[str, float]] = {"load": 0.0}
    rule: ClassVar[str] = (
        "every item costs 1, borne by the ballots that approve it, those with the smallest load first; choose in "
        "turn the item that can be borne at the smallest load, with what was borne in earlier rounds"
    )

    def criteria(self, state: State, columns: Floats, weights: Floats) -> tuple[Floats, ...]:
        """Minus the level t at which each item can be borne; minus infinity if nobody approves it."""
        return (-level(state["load"], columns, weights),)

    def after(self, state: State, gains: Floats, weights: Floats) -> State:
        """Supporters' loads below t rise to t."""
        load = state["load"]
        reached = level(load, gains[..., None], weights)
        return {"load": np.where(gains > 0, np.maximum(load, reached), load)}

    def shown(self, value: float) -> float:
        """The level t."""
        return -value


def level(load: Floats, columns: Floats, weights: Floats) -> Floats:
    """The smallest t with sum over supporters of w max(0, t - load) = 1, per column `(..., n, m)`, as `(..., m)`.

    With supporters in order of their loads, the first j of them alone would reach (1 + sum w l) / sum w; adding one
    lowers this level exactly if its load is below it, so the smallest of these levels is the answer.
    """
    lightest_first = np.argsort(load, axis=-1, kind="stable")
    held = np.take_along_axis(columns * weights[..., None], lightest_first[..., None], axis=-2)
    loads = np.take_along_axis(load, lightest_first, axis=-1)[..., None]
    bearing = np.cumsum(held, axis=-2)
    borne = 1 + np.cumsum(held * loads, axis=-2)
    levels = np.divide(borne, bearing, out=np.full(borne.shape, np.inf), where=bearing > 0)
    return np.asarray(levels.min(axis=-2, initial=np.inf))
