"""Approval voting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.approval_scores import ApprovalScoreMediator
from simulator.profile import Bools, Floats
from simulator.registry import register


@register("mediator", "av")
@dataclass(frozen=True)
class Av(ApprovalScoreMediator):
    """Items by the weight of the ballots that approve them; a slate takes the k most approved, whoever approves them.

    s(a) = sum_i w_i [a in A_i]. `scores` takes leading batch axes as one array operation.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.

    Source: S. J. Brams and P. C. Fishburn, Approval voting, 1978; on slates: M. Lackner and P. Skowron, Multi-winner
    voting with approval preferences, 2023.
    """

    name: ClassVar[str] = "av"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "participation")
    rule: ClassVar[str] = "s(a) = weight of the ballots that approve a"

    def shares(self, approved: Bools) -> Floats:
        """1 for every approved item."""
        return approved.astype(np.float64)
