"""A lottery by the product with exponents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from simulator.allocation.base import drawn, normalised
from simulator.allocation.weighted_product import WeightedProduct
from simulator.profile import Floats


@dataclass(frozen=True)
class WeightedLottery(WeightedProduct):
    """One agent gets 1, drawn with chances in proportion to (1 - m_i)^a c_i^b, times the stake; nobody if all are 0.

    Attributes:
        fairness_exponent: a, at least 0.
        compatibility_exponent: b, at least 0.

    Raises:
        ValueError: an exponent is below 0 or not finite.
    """

    name: ClassVar[str] = "weighted_lottery"

    def allocate(self, fairness: Floats, compatibility: Floats, stakes: Floats, seed: int = 0) -> Floats:
        """1 for the agent that is drawn."""
        return drawn(normalised(self.scores(fairness, compatibility, stakes)), seed)
