"""What a dynamic is: a frozen dataclass that turns the world's state and a delivered slate into the next state."""

from __future__ import annotations

from abc import ABC, abstractmethod

from simulator.catalogue import Catalogue
from simulator.profile import Ints
from simulator.requests import Request
from simulator.state import WorldState

GONE = 1e-9  # what has decayed below this is nothing, so that ranks by it become again what they were


class Dynamic(ABC):
    """A law by which delivered items change the world."""

    def arrays(self) -> tuple[str, ...]:
        """State arrays that it maintains."""
        return ()

    def hidden_arrays(self) -> tuple[str, ...]:
        """Arrays that it maintains and that no event shows."""
        return ()

    def columns(self) -> tuple[str, ...]:
        """Columns of the catalogue that it reads, for `fairagents check`."""
        return ()

    def check(self, catalogue: Catalogue) -> list[str]:
        """Problems with its parameters on this catalogue, in words; reading errors may be raised as CatalogueError."""
        return []

    @abstractmethod
    def start(self, catalogue: Catalogue, state: WorldState) -> WorldState:
        """The state before the first round."""

    @abstractmethod
    def evolve(self, state: WorldState, delivered: Ints) -> WorldState:
        """The state after a round that delivered these rows of the catalogue."""

    def deliver(self, state: WorldState, delivered: Ints, request: Request) -> WorldState:
        """The same, for dynamics that also depend on who asked; by default nothing does."""
        return self.evolve(state, delivered)
