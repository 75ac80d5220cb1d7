"""The proportional fair rule over rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.choices import State
from simulator.mediators.families.online import OnlineMediator
from simulator.mediators.families.remembering import support
from simulator.profile import Floats
from simulator.registry import register


@register("mediator", "proportional_fair")
@dataclass(frozen=True)
class ProportionalFair(OnlineMediator):
    """Choose the item with the greatest sum of w_i u_i(a) / U_i: a utility counts relative to what there is already.

    U_i is the sum of ballot i's utilities of all items delivered so far, 0 for a newcomer; `least` stands for a smaller
    one, so whoever has got nothing comes first. Utilities of every ballot may be on a scale of its own as long as it
    stays the same over the rounds and `least` is small beside it. `families/remembering.py` says what k, weights, ties,
    memory and cost mean.

    Attributes:
        least: what U_i counts at least.

    Raises:
        ValueError: a utility is negative, or `least` is not above 0.

    Source: R. Freeman, S. M. Zahedi and V. Conitzer, Fair and efficient social choice in dynamic settings, IJCAI 2017.
    """

    least: float = 1e-9

    name: ClassVar[str] = "proportional_fair"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "pareto")
    rule: ClassVar[str] = (
        "choose in turn the item with the greatest sum over ballots of weight x utility / utility got so far, in all "
        "rounds"
    )

    def __post_init__(self) -> None:
        if not 0 < self.least < float("inf"):
            raise ValueError(f"least is {self.least}, it must be a number above 0")

    def criteria(self, state: State, columns: Floats, weights: Floats) -> tuple[Floats, ...]:
        """Sum of w u / U; where those below `least` outweigh the others beyond digits, then the sum of the others."""
        got = state["utility"]
        owed = support(np.where(got < self.least, weights / self.least, 0.0), columns)
        others = support(np.where(got < self.least, 0.0, weights / np.maximum(got, self.least)), columns)
        outweighed = owed.max(axis=-1, keepdims=True, initial=0.0) > 1e6 * others.max(
            axis=-1, keepdims=True, initial=0.0
        )
        return owed + others, np.where(outweighed, others, 0.0)
