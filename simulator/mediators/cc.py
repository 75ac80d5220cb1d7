"""Chamberlin-Courant on approvals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost, Need
from simulator.mediators.families.thiele import ThieleMediator
from simulator.profile import Floats
from simulator.registry import register


@register("mediator", "cc")
@dataclass(frozen=True)
class ChamberlinCourant(ThieleMediator):
    """The slate W of k items that gives some approved item to most weight: sum_i w_i [A_i cap W is not empty].

    Ties, bounds, ranking and batches as in `pav`.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.
        time_limit: seconds for the integer program.

    Sources: J. R. Chamberlin and P. N. Courant, Representative deliberations and representative decisions, 1983, on
    approvals; JR: H. Aziz et al., Justified representation in approval-based committee voting, 2017.
    """

    name: ClassVar[str] = "cc"
    needs: ClassVar[Need] = "approval"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "jr")
    cost: ClassVar[Cost] = "integer program"
    rule: ClassVar[str] = "the slate that gives at least one approved item to the greatest weight of ballots"

    def gains(self, k: int) -> Floats:
        """1, 0, 0, ..."""
        return np.concatenate([np.ones(1), np.zeros(k - 1)])
