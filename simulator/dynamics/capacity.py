"""Deliveries fill an item's places; the places become free again."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from simulator.catalogue import Catalogue
from simulator.dynamics.base import GONE, Dynamic
from simulator.profile import Ints
from simulator.registry import register
from simulator.state import WorldState


@register("dynamic", "capacity")
@dataclass(frozen=True)
class Capacity(Dynamic):
    """L(a) <- decay(a) x L(a), plus per_delivery / size(a) if a was delivered: the share of its places that they fill.

    It starts at 0. An item that is delivered every round tends to per_delivery / size(a) / (1 - decay(a)); with a mean
    stay of s rounds, decay = 1 - 1/s, that is arrivals x stay / places, which is Little's law (J. D. C. Little, A proof
    for the queuing formula L = lambda W, Operations Research 9, 1961). A share below 1e-9 counts as none, so that what
    has decayed is gone. Nothing is turned away: a share may exceed 1, which means more sent than there are places.
    Where the size or the stay is blank the load is unknown (nan).

    Attributes:
        size: column with an item's places, such as beds, above 0.
        per_delivery: how many people one delivery sends.
        decay: share that is still there a round later, in [0, 1).
        stay: column with the mean number of rounds that people stay, at least 1; takes the place of `decay`.
        array: the state array's name.
    """

    size: str
    per_delivery: float = 1.0
    decay: float = 0.8
    stay: str = ""
    array: str = "load"

    def __post_init__(self) -> None:
        if not 0 <= self.decay < 1:
            raise ValueError(f"decay must be in [0, 1), found {self.decay}")
        if not 0 <= self.per_delivery < math.inf:
            raise ValueError(f"per_delivery must be a finite number of at least 0, found {self.per_delivery}")

    def arrays(self) -> tuple[str, ...]:
        """The array of loads."""
        return (self.array,)

    def columns(self) -> tuple[str, ...]:
        """The sizes, and the stays if a column holds them."""
        return (self.size, self.stay) if self.stay else (self.size,)

    def check(self, catalogue: Catalogue) -> list[str]:
        """Sizes must be above 0 and stays at least 1."""
        catalogue.check_numbers(self.columns())
        problems = []
        if (catalogue.numbers(self.size) <= 0).any():
            problems.append(f"column '{self.size}' must be above 0 to be a number of places; leave it blank if unknown")
        if self.stay and (catalogue.numbers(self.stay) < 1).any():
            problems.append(f"column '{self.stay}' must be at least 1 round to be a stay; leave it blank if unknown")
        return problems

    def start(self, catalogue: Catalogue, state: WorldState) -> WorldState:
        """Nobody was sent anywhere yet."""
        filled = self.per_delivery / catalogue.numbers(self.size)
        kept = 1 - 1 / catalogue.numbers(self.stay) if self.stay else np.full(len(catalogue), self.decay)
        constants = {**state.constants, f"{self.array}/filled": filled, f"{self.array}/kept": kept}
        load = np.where(np.isnan(filled + kept), np.nan, 0.0)
        return replace(state, items={**state.items, self.array: load}, constants=constants)

    def evolve(self, state: WorldState, delivered: Ints) -> WorldState:
        """Decay, then fill."""
        load = state.items[self.array] * state.constants[f"{self.array}/kept"]
        load[load < GONE] = 0.0
        load[delivered] += state.constants[f"{self.array}/filled"][delivered]
        return replace(state, items={**state.items, self.array: load})
