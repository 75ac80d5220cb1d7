"""Months pass."""

from __future__ import annotations

from dataclasses import dataclass, replace

from simulator.catalogue import Catalogue
from simulator.dynamics.base import Dynamic
from simulator.profile import Ints
from simulator.registry import register
from simulator.requests import MONTHS, month_number
from simulator.state import WorldState


@register("dynamic", "calendar")
@dataclass(frozen=True)
class Calendar(Dynamic):
    """The world's month moves on by `months` after every round; a request that names its own month overrides it."""

    start_month: str = "January"
    months: int = 1

    def __post_init__(self) -> None:
        if month_number(self.start_month) is None:
            raise ValueError(f"start_month must be one of {', '.join(MONTHS)}, found {self.start_month!r}")

    def start(self, catalogue: Catalogue, state: WorldState) -> WorldState:
        """The first month."""
        return replace(state, month=month_number(self.start_month))

    def evolve(self, state: WorldState, delivered: Ints) -> WorldState:
        """The next month."""
        assert state.month is not None
        return replace(state, month=(state.month - 1 + self.months) % 12 + 1)
