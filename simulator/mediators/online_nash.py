"""The Nash rule over rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.choices import State
from simulator.mediators.families.online import OnlineMediator
from simulator.mediators.nash import nash_objective
from simulator.profile import Floats
from simulator.registry import register


@register("mediator", "online_nash")
@dataclass(frozen=True)
class OnlineNash(OnlineMediator):
    """Choose the item after which the product of what the ballots have got so far is greatest.

    Greedy Nash welfare: maximise sum_i w_i log(U_i + u_i(a)) with U_i the sum of ballot i's utilities of all items
    delivered so far, 0 for a newcomer; zeros as in maximum Nash welfare: first the weight of the ballots with
    U_i + u_i(a) > 0, then the product over them. Utilities of every ballot may be on a scale of its own as long as it
    stays the same over the rounds. The value shown for a choice is the weight of the ballots that have got anything.
    `families/remembering.py` says what k, weights, ties, memory and cost mean.

    Raises:
        ValueError: a utility is negative.

    Source: R. Freeman, S. M. Zahedi and V. Conitzer, Fair and efficient social choice in dynamic settings, IJCAI 2017;
    zeros: I. Caragiannis et al., The unreasonable fairness of maximum Nash welfare, 2016.
    """

    name: ClassVar[str] = "online_nash"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "pareto")
    rule: ClassVar[str] = (
        "choose in turn the item after which most ballots, by weight, have got anything so far, in all rounds, and "
        "then the product of the utilities they have got is greatest"
    )

    def criteria(self, state: State, columns: Floats, weights: Floats) -> tuple[Floats, ...]:
        """The weight of the ballots with anything; the geometric mean of what these have, weighted."""
        got = state["utility"][..., None] + columns
        served, logs = nash_objective(got, np.broadcast_to(weights, columns.shape[:-1]))
        return served, np.exp(logs / np.maximum(served, np.finfo(np.float64).tiny))
