"""What a derivation is: a frozen dataclass that computes an attribute of every item at a moment of the world."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Literal

from simulator.catalogue import Catalogue
from simulator.profile import Floats
from simulator.requests import Request
from simulator.state import Moment


class Derivation(ABC):
    """An attribute that is computed.

    Attributes:
        depends_on: `catalogue` values never change, `request` ones change with the request or the month, `state` ones
            with what the world delivered; decides when they are computed again.
        private: whether its values would tell what was inferred about a user: objectives reckon with them, but they are
            described to nobody.
    """

    depends_on: ClassVar[Literal["catalogue", "request", "state"]] = "catalogue"
    private: ClassVar[bool] = False

    @abstractmethod
    def compute(self, moment: Moment) -> Floats:
        """Values `(N,)` for all items of the catalogue; nan = missing."""

    def columns(self) -> tuple[str, ...]:
        """Columns of the catalogue that it reads, for `fairagents check`."""
        return ()

    def state_arrays(self) -> tuple[str, ...]:
        """State arrays that it reads; a dynamic of the scenario must provide them."""
        return ()

    def hidden_arrays(self) -> tuple[str, ...]:
        """Hidden arrays that it reads; a dynamic of the scenario must provide them, too."""
        return ()

    def check(self, catalogue: Catalogue) -> list[str]:
        """Problems with its parameters on this catalogue, in words; reading errors may be raised as CatalogueError."""
        return []

    def check_request(self, request: Request) -> list[str]:
        """Problems with what it reads from a request, in words."""
        return []
