"""Sainte-Lague approval voting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost, Need
from simulator.mediators.families.thiele import ThieleMediator
from simulator.profile import Floats
from simulator.registry import register


@register("mediator", "slav")
@dataclass(frozen=True)
class Slav(ThieleMediator):
    """The slate W of k items with the greatest sum_i w_i (1 + 1/3 + 1/5 + ... + 1/(2 |A_i cap W| - 1)).

    Kinder to small groups than `pav`: shares follow the method of Sainte-Lague where that one's follow D'Hondt. Ties,
    bounds, ranking and batches as in `pav`.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.
        time_limit: seconds for the integer program.

    Sources: M. Lackner and P. Skowron, Utilitarian welfare and representation guarantees of approval-based multiwinner
    rules, 2020; JR, as of all Thiele rules with g_j <= 1/j: H. Aziz et al., Justified representation in approval-based
    committee voting, 2017.
    """

    name: ClassVar[str] = "slav"
    needs: ClassVar[Need] = "approval"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "jr")
    cost: ClassVar[Cost] = "integer program"
    rule: ClassVar[str] = (
        "the slate with the greatest sum over ballots of weight x (1 + 1/3 + 1/5 + ...), one term for each of its "
        "items that they approve"
    )

    def gains(self, k: int) -> Floats:
        """1, 1/3, 1/5, ..."""
        return 1 / np.arange(1, 2 * k, 2)
