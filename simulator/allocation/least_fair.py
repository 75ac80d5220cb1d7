"""Whoever was treated least fairly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.allocation.base import Allocation, one_of
from simulator.profile import Floats


@dataclass(frozen=True)
class LeastFair(Allocation):
    """The agent with the smallest fairness m_i gets 1; nobody if all m_i are 1. One of several is drawn by stakes."""

    name: ClassVar[str] = "least_fair"

    def allocate(self, fairness: Floats, compatibility: Floats, stakes: Floats, seed: int = 0) -> Floats:
        """1 for the least fairly treated agent."""
        least = fairness.min(axis=-1, keepdims=True, initial=1.0)
        return one_of(((fairness == least) & (least < 1)).astype(np.float64), stakes, seed)
