"""By what agents are owed and how well the request suits them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from simulator.allocation.base import Allocation, normalised
from simulator.profile import Floats


@dataclass(frozen=True)
class Product(Allocation):
    """Weights (1 - m_i) c_i, divided by their sum: fairness m_i, compatibility c_i, times the stake."""

    name: ClassVar[str] = "product"

    def allocate(self, fairness: Floats, compatibility: Floats, stakes: Floats, seed: int = 0) -> Floats:
        """Normalised (1 - m) c."""
        return normalised(stakes * (1 - fairness) * compatibility)
