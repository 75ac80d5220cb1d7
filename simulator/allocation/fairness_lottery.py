"""A lottery by what agents are owed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from simulator.allocation.base import Allocation, drawn, normalised
from simulator.profile import Floats


@dataclass(frozen=True)
class FairnessLottery(Allocation):
    """One agent gets 1, drawn with chances in proportion to 1 - m_i, times the stake; nobody if all are 0."""

    name: ClassVar[str] = "fairness_lottery"

    def allocate(self, fairness: Floats, compatibility: Floats, stakes: Floats, seed: int = 0) -> Floats:
        """1 for the agent that is drawn."""
        return drawn(normalised(stakes * (1 - fairness)), seed)
