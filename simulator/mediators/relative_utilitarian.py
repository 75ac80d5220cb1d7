"""Relative utilitarianism."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Need, ScoreMediator
from simulator.mediators.conversions import utilities, utility_notes
from simulator.profile import Floats, Profile
from simulator.registry import register

_ROUNDING = 1e-12


@register("mediator", "relative_utilitarian")
@dataclass(frozen=True)
class RelativeUtilitarian(ScoreMediator):
    """Items by their total utility after every ballot's utilities were stretched to span 0 to 1.

    s(a) = sum_i w_i (u_i(a) - min u_i) / (max u_i - min u_i); a ballot that gives the same to every item, up to
    rounding, gives 0. Nobody gains weight by large numbers. Ballots without utilities are read as
    u = (m - average position) / (m - 1). `scores` takes leading batch axes as one array operation.

    Source: A. Dhillon and J.-F. Mertens, Relative utilitarianism, 1999.
    """

    name: ClassVar[str] = "relative_utilitarian"
    needs: ClassVar[Need] = "utility"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "pareto", "participation")
    rule: ClassVar[str] = "s(a) = sum over ballots of weight x utility of a on the ballot's own scale from 0 to 1"

    def points(self, profile: Profile) -> Floats:
        """The ballots' utilities, each ballot's from 0 to 1, `(..., n, m)`."""
        values = utilities(profile)[0]
        least, most = values.min(axis=-1, keepdims=True), values.max(axis=-1, keepdims=True)
        span = most - least
        flat = span <= _ROUNDING * np.maximum(np.abs(least), np.abs(most))
        return np.where(flat, 0.0, (values - least) / np.where(flat, 1.0, span))

    def notes(self, profile: Profile) -> tuple[str, ...]:
        """Whether utilities were read from rankings."""
        return utility_notes(profile)
