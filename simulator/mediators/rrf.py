"""Reciprocal rank fusion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.positional import PositionalMediator
from simulator.profile import Floats, Profile, positions
from simulator.registry import register


@register("mediator", "rrf")
@dataclass(frozen=True)
class Rrf(PositionalMediator):
    """Each ballot gives an item 1 / (c + position): search engines merge the lists of several rankers by it.

    s(a) = sum_i w_i / (c + r_i(a)), positions from 1; tied items share the average of the positions they span. `scores`
    takes leading batch axes as one array operation.

    Attributes:
        truncation: unranked items are one tied tier at the bottom (tied_last), or get no points (zero_points), as the
            paper has it for documents that a ranker did not find.
        c: how much the first places are levelled, 0..1,000,000; 0 is Dowdall's rule.

    Raises:
        ValueError: c is out of range.

    Source: G. V. Cormack, C. L. A. Clarke and S. Buettcher, Reciprocal rank fusion outperforms Condorcet and individual
    rank learning methods, 2009.
    """

    c: float = 60.0

    name: ClassVar[str] = "rrf"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "pareto", "participation")
    rule: ClassVar[str] = "s(a) = sum over ballots of weight / (c + position of a)"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.c <= 1e6:
            raise ValueError(f"c is {self.c:g}, it must lie in 0..1,000,000")

    def place_points(self, m: int) -> Floats:
        """1 / (c + 1), ..., 1 / (c + m)."""
        return np.asarray(1.0 / (self.c + np.arange(1, m + 1)), dtype=np.float64)

    def points(self, profile: Profile) -> Floats:
        """1 / (c + r), `(..., n, m)`, of the average positions."""
        return self.without_unranked(1.0 / (self.c + positions(profile.ranks)), profile.ranks)
