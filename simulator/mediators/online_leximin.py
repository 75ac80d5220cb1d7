"""The leximin rule over rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.choices import State
from simulator.mediators.families.online import OnlineMediator
from simulator.mediators.leximin import leximin_ranks
from simulator.profile import Floats
from simulator.registry import register


@register("mediator", "online_leximin")
@dataclass(frozen=True)
class OnlineLeximin(OnlineMediator):
    """Choose the item after which the worst off have got most so far, then the next worst off, and so on.

    Compares the sorted vectors of U_i + u_i(a), with U_i the sum of ballot i's utilities of all items delivered so far,
    0 for a newcomer. Levels of utility are compared between ballots, so all must be on one scale. The value shown for a
    choice is what the worst off ballot has got after it. `families/remembering.py` says what k, weights, ties, memory
    and cost mean; histories of a batch are compared one by one.

    Raises:
        ValueError: a utility is negative.

    Source: leximin as in A. K. Sen, Collective Choice and Social Welfare, 1970, on utilities added up over rounds.
    """

    name: ClassVar[str] = "online_leximin"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "pareto")
    rule: ClassVar[str] = (
        "choose in turn the item after which the smallest utility that a ballot has got so far, in all rounds, is "
        "greatest; between equals, the next smallest, and so on"
    )

    def criteria(self, state: State, columns: Floats, weights: Floats) -> tuple[Floats, ...]:
        """What the worst off has; minus the tier of the whole vector."""
        got = state["utility"][..., None] + columns
        heights = np.broadcast_to(weights, got.shape[:-1])
        tiers = np.empty((*got.shape[:-2], got.shape[-1]))
        for at in np.ndindex(got.shape[:-2]):
            tiers[at] = -leximin_ranks(got[at], heights[at])
        worst = got.min(axis=-2, initial=np.inf)
        return np.where(np.isinf(worst), 0.0, worst), tiers
