"""The product of what agents are owed and how well the request suits them, with exponents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.allocation.base import Allocation, normalised
from simulator.profile import Floats


@dataclass(frozen=True)
class WeightedProduct(Allocation):
    """Weights (1 - m_i)^a c_i^b, divided by their sum: fairness m_i, compatibility c_i, times the stake.

    An exponent of 0 leaves its part out: 0^0 = 1.

    Attributes:
        fairness_exponent: a, at least 0.
        compatibility_exponent: b, at least 0.

    Raises:
        ValueError: an exponent is below 0 or not finite.
    """

    fairness_exponent: float = 1.0
    compatibility_exponent: float = 1.0

    name: ClassVar[str] = "weighted_product"

    def __post_init__(self) -> None:
        for exponent in (self.fairness_exponent, self.compatibility_exponent):
            if not 0 <= exponent < np.inf:
                raise ValueError(f"an exponent is {exponent}, it must be at least 0")

    def scores(self, fairness: Floats, compatibility: Floats, stakes: Floats) -> Floats:
        """(1 - m)^a c^b, `(..., n)`."""
        return np.asarray(
            stakes * (1 - fairness) ** self.fairness_exponent * compatibility**self.compatibility_exponent
        )

    def allocate(self, fairness: Floats, compatibility: Floats, stakes: Floats, seed: int = 0) -> Floats:
        """Normalised (1 - m)^a c^b."""
        return normalised(self.scores(fairness, compatibility, stakes))
