"""The agents' own weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from simulator.allocation.base import Allocation
from simulator.profile import Floats


@dataclass(frozen=True)
class Static(Allocation):
    """Every agent has its own stake in every round."""

    name: ClassVar[str] = "static"

    def allocate(self, fairness: Floats, compatibility: Floats, stakes: Floats, seed: int = 0) -> Floats:
        """The stakes as they are."""
        return stakes
