"""The utilitarian rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from simulator.mediators.base import Need, ScoreMediator
from simulator.mediators.conversions import utilities, utility_notes
from simulator.profile import Floats, Profile
from simulator.registry import register


@register("mediator", "utilitarian")
@dataclass(frozen=True)
class Utilitarian(ScoreMediator):
    """Items by their total utility: s(a) = sum_i w_i u_i(a).

    Ballots without utilities are read as u = (m - average position) / (m - 1). `scores` takes leading batch axes as one
    array operation.

    Source: J. C. Harsanyi, Cardinal welfare, individualistic ethics, and interpersonal comparisons of utility, 1955.
    """

    name: ClassVar[str] = "utilitarian"
    needs: ClassVar[Need] = "utility"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "pareto", "participation")
    rule: ClassVar[str] = "s(a) = sum over ballots of weight x utility of a"

    def points(self, profile: Profile) -> Floats:
        """The ballots' utilities, `(..., n, m)`."""
        return utilities(profile)[0]

    def notes(self, profile: Profile) -> tuple[str, ...]:
        """Whether utilities were read from rankings."""
        return utility_notes(profile)
