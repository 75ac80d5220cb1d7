"""Approval rules with a memory: what ballots got in earlier rounds counts in the next one.

Source of the setting: M. Lackner, Perpetual voting: fairness in long-term decision making, AAAI 2020.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Need
from simulator.mediators.conversions import Notes, approvals, check_approve
from simulator.mediators.families.remembering import RememberingMediator
from simulator.profile import Bools, Floats, Profile


@dataclass(frozen=True)
class PerpetualMediator(RememberingMediator):
    """A perpetual rule: what k, weights, ties, memory and cost mean is said in `families/remembering.py`.

    Items that nobody approves come last, tied, and change nothing when delivered. Ballots that are cast and approve
    nothing count as voters that get nothing.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5 (`conversions.approvals`).
    """

    approve: str = "auto"

    needs: ClassVar[Need] = "approval"

    def __post_init__(self) -> None:
        check_approve(self.approve)

    def said(self, profile: Profile, k: int) -> tuple[Floats, Notes]:
        """Approvals as 0 and 1."""
        approved, notes = approvals(profile, self.approve, k)
        return approved.astype(np.float64), notes

    def eligible(self, columns: Floats) -> Bools:
        """Items that anybody approves."""
        return np.asarray(columns.any(axis=0))
