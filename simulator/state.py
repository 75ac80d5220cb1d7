"""The state of the world that rounds change: arrays over the catalogue's items, and the calendar."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from simulator.catalogue import Catalogue
from simulator.profile import Floats
from simulator.requests import Request


@dataclass(frozen=True, slots=True)
class WorldState:
    """What dynamics maintain.

    Attributes:
        items: named arrays `(N,)` over the catalogue, such as crowding.
        month: the calendar's month, 1 to 12; None in a world without a calendar.
        constants: arrays that a dynamic has read off the catalogue at the start, by a name of its own; they never
            change, and neither attributes nor events show them.
        hidden: arrays that dynamics maintain and that no event shows, for they would tell what was inferred about
            single users.
    """

    items: Mapping[str, Floats] = field(default_factory=dict)
    month: int | None = None
    constants: Mapping[str, Floats] = field(default_factory=dict)
    hidden: Mapping[str, Floats] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Moment:
    """What a derived attribute may depend on: the catalogue, the round's request and the world's state."""

    catalogue: Catalogue
    request: Request
    state: WorldState

    @property
    def month(self) -> int | None:
        """The request's month, else the calendar's."""
        return self.request.month if self.request.month is not None else self.state.month
