"""A column under load: what grows as an item fills up, such as a waiting time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulator.catalogue import Catalogue
from simulator.derivations.base import Derivation
from simulator.profile import Floats
from simulator.registry import register
from simulator.state import Moment


@register("derivation", "strained")
@dataclass(frozen=True)
class Strained(Derivation):
    """x(a) = column(a) x (1 + grow x L(a)) + add x L(a), L being a load of the world; missing if either is.

    With no load it is the column, and with growing load it moves one way.

    Attributes:
        column: the value without load.
        array: the state array with the load.
        grow: relative growth by a load of 1: 1 doubles the value, as scripts to mark double with the learners.
        add: what a load of 1 adds, in the column's unit, such as 180 minutes.
    """

    column: str
    array: str = "load"
    grow: float = 0.0
    add: float = 0.0

    depends_on = "state"

    def __post_init__(self) -> None:
        if not np.isfinite([self.grow, self.add]).all() or self.grow == self.add == 0:
            raise ValueError("needs 'grow' or 'add', a finite number other than 0")

    def columns(self) -> tuple[str, ...]:
        """The column."""
        return (self.column,)

    def state_arrays(self) -> tuple[str, ...]:
        """The load."""
        return (self.array,)

    def check(self, catalogue: Catalogue) -> list[str]:
        """Read the column once, so that faults show."""
        catalogue.check_numbers(self.columns())
        return []

    def compute(self, moment: Moment) -> Floats:
        """Strained values `(N,)`."""
        base, load = moment.catalogue.numbers(self.column), moment.state.items[self.array]
        return np.asarray(base * (1 + self.grow * load) + self.add * load)
