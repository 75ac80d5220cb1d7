"""Rules whose score is what every ballot gives to the items that it approves."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from simulator.mediators.base import Need, ScoreMediator
from simulator.mediators.conversions import approvals, check_approve
from simulator.profile import Bools, Floats, Profile


@dataclass(frozen=True)
class ApprovalScoreMediator(ScoreMediator):
    """A score rule that reads approvals.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5 (`conversions.approvals`).
    """

    approve: str = "auto"

    needs: ClassVar[Need] = "approval"

    def __post_init__(self) -> None:
        check_approve(self.approve)

    @abstractmethod
    def shares(self, approved: Bools) -> Floats:
        """Points `(..., n, m)` of ballots that approve these items."""

    def points(self, profile: Profile) -> Floats:
        """The points for a slate of one item."""
        return self.points_for(profile, 1)

    def points_for(self, profile: Profile, k: int) -> Floats:
        """The points `(..., n, m)`; the approvals of a ranking may depend on k."""
        return self.shares(approvals(profile, self.approve, k)[0])

    def notes_for(self, profile: Profile, k: int) -> tuple[str, ...]:
        """How approvals were read."""
        return approvals(profile, self.approve, k)[1]
