"""Perpetual quota."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from simulator.mediators.families.choices import State
from simulator.mediators.families.perpetual import PerpetualMediator
from simulator.mediators.families.remembering import settled, support
from simulator.profile import Floats
from simulator.registry import register


@register("mediator", "perpetual_quota")
@dataclass(frozen=True)
class PerpetualQuota(PerpetualMediator):
    """Choose the item whose supporters are furthest below their quota, in total.

    In every round the quota q_i grows by the share of the weight that approves the best supported item in A_i, the
    items that ballot i approves: max_{c in A_i} |N_c| / n. It grows once a round; where k > 1 items are delivered, by
    the sum of the k greatest such shares. s_i is the number of items chosen so far that ballot i approves. The item
    with the greatest sum of w_i max(0, q_i - s_i) over its supporters is chosen. A newcomer starts with q_i = s_i = 0.
    Its dry spells are not bounded.

    The variant `mod` takes q_i as it stood before the round, and max(e, q_i - s_i) instead: those who have their quota
    count a little, e = d / n with d the smallest difference between the fractional parts of two quotas (1 if there is
    none), n the total weight. The parts are floating-point numbers, as in the author's program, so two equal ones may
    differ by rounding; e is then next to nothing. `families/remembering.py` says what k, weights, ties, memory and cost
    mean for all perpetual rules.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.
        variant: original, or mod.

    Source: M. Lackner, Perpetual voting: fairness in long-term decision making, AAAI 2020; `mod` as in the author's
    program, https://github.com/martinlackner/perpetual.
    """

    variant: Literal["original", "mod"] = "original"

    name: ClassVar[str] = "perpetual_quota"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral")
    fields: ClassVar[Mapping[str, float]] = {"satisfaction": 0.0, "quota": 0.0}
    rule: ClassVar[str] = (
        "a ballot's quota grows each round by the share of weight behind the best supported items that it approves; "
        "choose in turn the item with the greatest sum, over the ballots that approve it, of weight x what the "
        "ballot is below its quota"
    )

    def opened(self, state: State, columns: Floats, weights: Floats, k: int = 1) -> State:
        """Quotas with this round's share; `mod` adds it at the end."""
        return state if self.variant == "mod" else _grown(state, columns, weights, k)

    def closed(self, state: State, columns: Floats, weights: Floats, k: int = 1) -> State:
        """Quotas of `mod` with this round's share."""
        return _grown(state, columns, weights, k) if self.variant == "mod" else state

    def criteria(self, state: State, columns: Floats, weights: Floats) -> tuple[Floats, ...]:
        """Sum over supporters of w times what they are below their quota, at least e for `mod`."""
        below = settled(state["quota"] - state["satisfaction"])
        least = _epsilon(state["quota"], weights) if self.variant == "mod" else 0.0
        return (support(weights * np.maximum(least, below), columns),)

    def after(self, state: State, gains: Floats, weights: Floats) -> State:
        """One more approved item for every supporter."""
        return {**state, "satisfaction": state["satisfaction"] + gains}


def shares(columns: Floats, weights: Floats, k: int = 1) -> Floats:
    """What a round adds to quotas, `(..., n)`: the sum of the k greatest shares of weight behind approved items."""
    total = weights.sum(axis=-1)[..., None]
    behind = support(weights, columns) / np.where(total > 0, total, 1.0)
    own = columns * behind[..., None, :]
    if k == 1:
        return np.asarray(own.max(axis=-1, initial=0.0))
    return np.asarray(np.sort(own, axis=-1)[..., -k:].sum(axis=-1))


def _grown(state: State, columns: Floats, weights: Floats, k: int) -> State:
    return {**state, "quota": state["quota"] + shares(columns, weights, k)}


def _epsilon(quota: Floats, weights: Floats) -> Floats:
    """The e of `mod`, `(..., 1)`."""
    total = weights.sum(axis=-1)[..., None]
    # Quotas are multiples of 1 / n while n stays the same; dividing once gives the double next to the exact fraction.
    behind = quota * total
    whole = np.round(behind)
    exact = np.where(np.abs(behind - whole) < 1e-6, whole / np.where(total > 0, total, 1.0), quota)
    steps = np.diff(np.sort(np.modf(exact)[0], axis=-1), axis=-1)
    smallest = np.where(steps > 0, steps, np.inf).min(axis=-1, initial=np.inf)[..., None]
    return np.asarray(np.where(np.isinf(smallest), 1.0, smallest) / np.where(total > 0, total, 1.0))
