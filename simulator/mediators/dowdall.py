"""Dowdall's rule: the harmonic count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.positional import PositionalMediator
from simulator.profile import Floats, Profile, positions
from simulator.registry import register


@register("mediator", "dowdall", "harmonic")
@dataclass(frozen=True)
class Dowdall(PositionalMediator):
    """Each ballot gives 1 point to its first item, 1/2 to its second, 1/3 to its third, and so on.

    s(a) = sum_i w_i / r_i(a), positions r_i from 1; tied items share the average of the positions they span. `scores`
    takes leading batch axes as one array operation.

    Attributes:
        truncation: unranked items are one tied tier at the bottom (tied_last) or get no points (zero_points).

    Source: J. Fraenkel and B. Grofman, The Borda count and its real-world alternatives: comparing scoring rules in
    Nauru and Slovenia, 2014.
    """

    name: ClassVar[str] = "dowdall"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "pareto", "participation")
    rule: ClassVar[str] = "s(a) = sum over ballots of weight / position of a"

    def place_points(self, m: int) -> Floats:
        """1, 1/2, ..., 1/m."""
        return 1.0 / np.arange(1, m + 1)

    def points(self, profile: Profile) -> Floats:
        """1 / r, `(..., n, m)`, of the average positions."""
        return self.without_unranked(1.0 / positions(profile.ranks), profile.ranks)
