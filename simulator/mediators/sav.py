"""Satisfaction approval voting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.approval_scores import ApprovalScoreMediator
from simulator.profile import Bools, Floats
from simulator.registry import register


@register("mediator", "sav")
@dataclass(frozen=True)
class Sav(ApprovalScoreMediator):
    """Every ballot divides its weight evenly among the items that it approves.

    s(a) = sum_i w_i [a in A_i] / |A_i|: the sum over a slate is the share of every ballot's approvals that the slate
    holds. A ballot that approves nothing gives nothing. `scores` takes leading batch axes as one array operation.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.

    Source: S. J. Brams and D. M. Kilgour, Satisfaction approval voting, 2014.
    """

    name: ClassVar[str] = "sav"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "participation")
    rule: ClassVar[str] = "s(a) = sum over the ballots that approve a of weight / number of items the ballot approves"

    def shares(self, approved: Bools) -> Floats:
        """1 / |A| for every approved item."""
        return np.asarray(approved / np.maximum(approved.sum(axis=-1, keepdims=True), 1))
