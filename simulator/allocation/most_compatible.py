"""Whomever the request suits best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.allocation.base import Allocation, one_of
from simulator.profile import Floats


@dataclass(frozen=True)
class MostCompatible(Allocation):
    """The agent with the greatest compatibility gets 1, whatever its fairness; one of several is drawn by stakes."""

    name: ClassVar[str] = "most_compatible"

    def allocate(self, fairness: Floats, compatibility: Floats, stakes: Floats, seed: int = 0) -> Floats:
        """1 for the most compatible agent."""
        best = compatibility == compatibility.max(axis=-1, keepdims=True, initial=0.0)
        return one_of(best.astype(np.float64), stakes, seed)
