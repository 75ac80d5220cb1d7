"""Range voting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Need, ScoreMediator
from simulator.mediators.conversions import utilities, utility_notes
from simulator.profile import Floats, Profile
from simulator.registry import register


@register("mediator", "range", "score")
@dataclass(frozen=True)
class Range(ScoreMediator):
    """Items by the sum of the scores that ballots give them, as given: s(a) = sum_i w_i u_i(a).

    Where ballots hold utilities, it is `utilitarian`. Where they hold approvals and no utilities, an approval is a
    score of 1 and everything else 0, so that it is approval voting, while `utilitarian` reads the rankings. Ballots
    with neither are read as u = (m - average position) / (m - 1) by both. `scores` takes leading batch axes as one
    array operation.

    Source: W. D. Smith, Range voting, 2000.
    """

    name: ClassVar[str] = "range"
    needs: ClassVar[Need] = "utility"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "participation")
    rule: ClassVar[str] = "s(a) = sum over ballots of weight x score of a"

    def points(self, profile: Profile) -> Floats:
        """The ballots' scores, `(..., n, m)`."""
        if profile.utilities is None and profile.approvals is not None:
            return profile.approvals.astype(np.float64)
        return utilities(profile)[0]

    def notes(self, profile: Profile) -> tuple[str, ...]:
        """What scores were read from, if not from utilities."""
        if profile.utilities is None and profile.approvals is not None:
            return ("Scores come from the approvals: 1 for an approved item, else 0.",)
        return utility_notes(profile)
