"""Borda's count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from simulator.mediators.base import ScoreMediator
from simulator.profile import Floats, Profile, positions
from simulator.registry import register


@register("mediator", "borda")
@dataclass(frozen=True)
class Borda(ScoreMediator):
    """Each ballot gives an item one point for every item that it ranks below it, half a point for every tied item.

    s(a) = sum_i w_i (m - r_i(a)), positions r_i from 1; tied items share the average of the positions they span and
    unranked items are one tied tier at the bottom.

    Source: J.-C. de Borda, Memoire sur les elections au scrutin, 1781.
    """

    name: ClassVar[str] = "borda"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "pareto", "participation")
    rule: ClassVar[str] = "s(a) = sum over ballots of weight x (m - position of a)"

    def points(self, profile: Profile) -> Floats:
        """The points m - r, `(..., n, m)`."""
        return profile.m - positions(profile.ranks)
