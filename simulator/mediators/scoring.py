"""The rule of any score vector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.positional import PositionalMediator
from simulator.profile import Floats
from simulator.registry import register

_LARGEST = 1e12


@register("mediator", "scoring")
@dataclass(frozen=True)
class Scoring(PositionalMediator):
    """Each ballot gives an item the points that `vector` has for its position: `scoring(vector=[5, 3, 1])`.

    s(a) = sum_i w_i vector[r_i(a)], the first entry for the first position; missing entries are 0, entries beyond the
    last position are left out. Tied items share the average of the points of the positions they span. `scores` takes
    leading batch axes as one array operation. The claimed properties are those of every vector, also of one that
    rewards low positions.

    Attributes:
        truncation: unranked items are one tied tier at the bottom (tied_last) or get no points (zero_points).
        vector: points of the positions; those of the Eurovision Song Contest by default.

    Raises:
        ValueError: there is no entry, or one is not a number of at most 1e12 in size.

    Source: H. P. Young, Social choice scoring functions, 1975.
    """

    vector: tuple[float, ...] = (12.0, 10.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0)

    name: ClassVar[str] = "scoring"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral")
    rule: ClassVar[str] = "s(a) = sum over ballots of weight x points for the position of a"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "vector", tuple(float(points) for points in self.vector))
        if not self.vector or not all(abs(points) <= _LARGEST for points in self.vector):
            raise ValueError(f"vector is {list(self.vector)}; it needs at least one number, none above 1e12 in size")

    def place_points(self, m: int) -> Floats:
        """The first m entries, filled up with 0."""
        points = np.zeros(m)
        given = self.vector[:m]
        points[: len(given)] = given
        return points
