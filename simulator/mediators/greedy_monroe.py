"""Monroe's rule, item by item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost, Need
from simulator.mediators.families.electorate import Electorate
from simulator.mediators.families.sequential import SequentialMediator
from simulator.outcome import TOLERANCE
from simulator.profile import Bools, Floats
from simulator.registry import register


@register("mediator", "greedy_monroe")
@dataclass(frozen=True)
class GreedyMonroe(SequentialMediator):
    """Choose, again and again, the item that most of the weight without a representative approves; it represents n / k.

    Each unit of weight starts with k / n of a representative to find. Where the supporters of the chosen item have S to
    find together, each of them has the part (S - 1) / S left of its own afterwards, or nothing if S is at most 1. (The
    paper takes away n / k whole ballots instead, whichever they are; with parts, all ballots are treated alike.) The
    order of choice is the ranking, for this k alone. Once everybody is represented, all other items are tied, and fill
    up a slate in every way. Abstentions are not represented. `slates` holds the outcome of every way to break ties, and
    items whose order depends on how ties are broken share a tier; bounds in `families.branches.Branches`. One profile
    at a time: `batch` loops.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.

    Source: P. Skowron, P. Faliszewski and A. Slinko, Achieving fully proportional representation: approximability
    results, 2015.
    """

    name: ClassVar[str] = "greedy_monroe"
    needs: ClassVar[Need] = "approval"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "jr")
    cost: ClassVar[Cost] = "quadratic"
    rule: ClassVar[str] = (
        "choose in turn the item that most weight approves among what is not represented yet; it represents one k-th "
        "of all ballots"
    )

    def start(self, people: Electorate, k: int) -> Floats:
        """K / n of a representative for each unit of weight."""
        return np.full(len(people.weights), k / people.weights.sum() if len(people.weights) else 0.0)

    def worth(self, state: Floats, people: Electorate, open_kinds: Bools) -> Floats:
        """How many representatives the supporters have still to find, `(s, c)`; -inf for none."""
        worth = (people.weights * state) @ people.values
        return np.where(worth > 0, worth, -np.inf)

    def after(self, state: Floats, worth: Floats, gives: Floats) -> Floats:
        """The supporters have found one."""
        left = 1 - 1 / np.maximum(worth, 1.0)
        return np.where(gives > 0, np.where(left > TOLERANCE, left, 0.0) * state, state)

    def shown(self, worth: float, scale: float) -> float:
        """The representatives that the supporters had to find."""
        return worth
