"""How often an item was delivered so far."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from simulator.catalogue import Catalogue
from simulator.dynamics.base import Dynamic
from simulator.profile import Ints
from simulator.registry import register
from simulator.state import WorldState


@register("dynamic", "exposure")
@dataclass(frozen=True)
class Exposure(Dynamic):
    """e(a) <- e(a) + v(place of a in the slate), with v = 1 / log2(1 + place) (Singh and Joachims, KDD 2018)."""

    array: str = "exposure"

    def arrays(self) -> tuple[str, ...]:
        """The exposure array."""
        return (self.array,)

    def start(self, catalogue: Catalogue, state: WorldState) -> WorldState:
        """Nothing was shown yet."""
        return replace(state, items={**state.items, self.array: np.zeros(len(catalogue))})

    def evolve(self, state: WorldState, delivered: Ints) -> WorldState:
        """Add the attention that each place of the slate gets."""
        exposure = state.items[self.array].copy()
        exposure[delivered] += 1 / np.log2(np.arange(len(delivered)) + 2)
        return replace(state, items={**state.items, self.array: exposure})
