"""Anti-plurality, or veto."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.positional import PositionalMediator
from simulator.profile import Floats
from simulator.registry import register


@register("mediator", "anti_plurality", "veto")
@dataclass(frozen=True)
class AntiPlurality(PositionalMediator):
    """Items by the weight of the ballots that do not put them last.

    s(a) = sum_i w_i [r_i(a) < m]; t items that tie for the last place of a ballot get 1 - 1/t each, so a ballot that
    leaves items unranked vetoes each of them in part. `scores` takes leading batch axes as one array operation.

    Attributes:
        truncation: unranked items share one veto (tied_last) or get no points, a veto each (zero_points).

    Source: as a scoring rule, H. P. Young, Social choice scoring functions, 1975.
    """

    name: ClassVar[str] = "anti_plurality"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "participation")
    rule: ClassVar[str] = "s(a) = weight of the ballots that do not put a last"

    def place_points(self, m: int) -> Floats:
        """1, ..., 1, 0."""
        points = np.ones(m)
        points[-1] = 0.0
        return points
