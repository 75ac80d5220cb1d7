"""Borda's count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.positional import PositionalMediator
from simulator.profile import Floats, Profile, positions
from simulator.registry import register


@register("mediator", "borda")
@dataclass(frozen=True)
class Borda(PositionalMediator):
    """Each ballot gives an item one point for every item that it ranks below it, half a point for every tied item.

    s(a) = sum_i w_i (m - r_i(a)), positions r_i from 1; tied items share the average of the positions they span.
    `scores` takes leading batch axes as one array operation.

    Attributes:
        truncation: unranked items are one tied tier at the bottom (tied_last) or get no points (zero_points).

    Source: J.-C. de Borda, Memoire sur les elections au scrutin, 1781.
    """

    name: ClassVar[str] = "borda"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "pareto", "participation")
    rule: ClassVar[str] = "s(a) = sum over ballots of weight x (m - position of a)"

    def place_points(self, m: int) -> Floats:
        """The points m - 1, m - 2, ..., 0."""
        return np.arange(m - 1, -1, -1, dtype=np.float64)

    def points(self, profile: Profile) -> Floats:
        """The points m - r, `(..., n, m)`: those of the average position are the average."""
        return self.without_unranked(profile.m - positions(profile.ranks), profile.ranks)
