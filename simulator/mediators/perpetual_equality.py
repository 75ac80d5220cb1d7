"""Perpetual equality."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.choices import State
from simulator.mediators.families.perpetual import PerpetualMediator
from simulator.profile import Floats
from simulator.registry import register


@register("mediator", "perpetual_equality")
@dataclass(frozen=True)
class PerpetualEquality(PerpetualMediator):
    """Choose the item with most supporters among those who got least so far.

    s_i is the number of items chosen so far, in all rounds, that ballot i approves; 0 for a newcomer. For s = min_i
    s_i, the items that most ballots with s_i <= s approve, by weight, stay; for each next greater s, those of them that
    most ballots with s_i <= s approve. Its dry spells are not bounded. The value shown for a choice is the weight of
    its supporters among those who got least. `families/remembering.py` says what k, weights, ties, memory and cost mean
    for all perpetual rules.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.

    Source: M. Lackner, Perpetual voting: fairness in long-term decision making, AAAI 2020.
    """

    name: ClassVar[str] = "perpetual_equality"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone")
    fields: ClassVar[Mapping[str, float]] = {"satisfaction": 0.0}
    rule: ClassVar[str] = (
        "choose in turn the item that most ballots, by weight, among those that got least so far approve; between "
        "equals, most among those that got least or next to least, and so on"
    )

    def criteria(self, state: State, columns: Floats, weights: Floats) -> Floats:
        """The weight of the supporters with s_i <= s, for every s that occurs, least first, `(levels, ..., m)`."""
        got = state["satisfaction"]
        least_first = np.argsort(got, axis=-1, kind="stable")
        got = np.take_along_axis(got, least_first, axis=-1)
        held = np.take_along_axis(columns * weights[..., None], least_first[..., None], axis=-2)
        reached = np.cumsum(held, axis=-2)
        run_ends = np.ones(got.shape, dtype=np.bool_)
        run_ends[..., :-1] = got[..., 1:] != got[..., :-1]
        levels = np.moveaxis(np.where(run_ends[..., None], reached, 0.0), -2, 0)
        return np.asarray(levels[run_ends.reshape(-1, got.shape[-1]).any(axis=0)])

    def after(self, state: State, gains: Floats, weights: Floats) -> State:
        """One more approved item for every supporter."""
        return {"satisfaction": state["satisfaction"] + gains}
