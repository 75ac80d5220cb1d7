"""A state array of the world as an attribute, such as crowding."""

from __future__ import annotations

from dataclasses import dataclass

from simulator.derivations.base import Derivation
from simulator.profile import Floats
from simulator.registry import register
from simulator.state import Moment


@register("derivation", "state")
@dataclass(frozen=True)
class State(Derivation):
    """x(a) = the array called `array` that one of the scenario's dynamics maintains."""

    array: str

    depends_on = "state"

    def state_arrays(self) -> tuple[str, ...]:
        """The array it reads."""
        return (self.array,)

    def compute(self, moment: Moment) -> Floats:
        """The array `(N,)`."""
        return moment.state.items[self.array]
