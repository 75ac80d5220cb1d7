"""Delivered items become more crowded; crowding decays."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from simulator.catalogue import Catalogue
from simulator.dynamics.base import GONE, Dynamic
from simulator.profile import Ints
from simulator.registry import register
from simulator.state import WorldState


@register("dynamic", "crowding")
@dataclass(frozen=True)
class Crowding(Dynamic):
    """c(a) <- decay x c(a), plus `rise` if a was delivered; it starts at 0 and stays below rise / (1 - decay).

    Attributes:
        rise: visitors, in the scenario's unit, that one delivery sends.
        decay: share that is still there a round later, in [0, 1).
        array: the state array's name.
    """

    rise: float = 1.0
    decay: float = 0.7
    array: str = "crowding"

    def __post_init__(self) -> None:
        if not 0 <= self.decay < 1:
            raise ValueError(f"decay must be in [0, 1), found {self.decay}")
        if not 0 <= self.rise < math.inf:
            raise ValueError(f"rise must be a finite number of at least 0, found {self.rise}")

    def arrays(self) -> tuple[str, ...]:
        """The crowding array."""
        return (self.array,)

    def start(self, catalogue: Catalogue, state: WorldState) -> WorldState:
        """Nobody was sent anywhere yet."""
        return replace(state, items={**state.items, self.array: np.zeros(len(catalogue))})

    def evolve(self, state: WorldState, delivered: Ints) -> WorldState:
        """Decay, then rise."""
        crowding = state.items[self.array] * self.decay
        crowding[crowding < GONE] = 0.0
        crowding[delivered] += self.rise
        return replace(state, items={**state.items, self.array: crowding})
