"""Plurality."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.positional import PositionalMediator
from simulator.profile import Floats
from simulator.registry import register


@register("mediator", "plurality")
@dataclass(frozen=True)
class Plurality(PositionalMediator):
    """Items by the weight of the ballots that put them first.

    s(a) = sum_i w_i [r_i(a) = 1]; t items that tie for the first place of a ballot get 1/t each. `scores` takes leading
    batch axes as one array operation.

    Attributes:
        truncation: whether a ballot that ranks nothing gives every item 1/m (tied_last) or nothing (zero_points).

    Source: as a scoring rule, H. P. Young, Social choice scoring functions, 1975.
    """

    name: ClassVar[str] = "plurality"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "participation")
    rule: ClassVar[str] = "s(a) = weight of the ballots that put a first"

    def place_points(self, m: int) -> Floats:
        """1, 0, ..., 0."""
        points = np.zeros(m)
        points[0] = 1.0
        return points
