"""A lottery by the agents' own weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from simulator.allocation.base import Allocation, drawn
from simulator.profile import Floats


@dataclass(frozen=True)
class StaticLottery(Allocation):
    """One agent gets 1, drawn with its stake as its chance; what stakes leave of 1 is nobody's chance.

    Stakes that sum to more than 1 are divided by their sum.
    """

    name: ClassVar[str] = "static_lottery"

    def allocate(self, fairness: Floats, compatibility: Floats, stakes: Floats, seed: int = 0) -> Floats:
        """1 for the agent that is drawn."""
        return drawn(stakes, seed)
