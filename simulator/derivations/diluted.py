"""A rate under load: what shrinks when more people share it, such as the chance of admission."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from simulator.catalogue import Catalogue
from simulator.derivations.base import Derivation
from simulator.profile import Floats
from simulator.registry import register
from simulator.state import Moment


@register("derivation", "diluted")
@dataclass(frozen=True)
class Diluted(Derivation):
    """x(a) = column(a) / (1 + share x L(a)), L being a load of the world; missing if either is.

    The same number of offers among (1 + share x L) times as many people: a rate that is offers / applicants falls to
    offers / (applicants x (1 + share x L)).

    Attributes:
        column: the rate without load.
        array: the state array with the load, at least 0.
        share: how many times its usual applicants a load of 1 adds, above 0.
    """

    column: str
    array: str = "load"
    share: float = 1.0

    depends_on = "state"

    def __post_init__(self) -> None:
        if not 0 < self.share < math.inf:
            raise ValueError(f"share must be a finite number above 0, found {self.share}")

    def columns(self) -> tuple[str, ...]:
        """The rate."""
        return (self.column,)

    def state_arrays(self) -> tuple[str, ...]:
        """The load."""
        return (self.array,)

    def check(self, catalogue: Catalogue) -> list[str]:
        """Read the column once, so that faults show."""
        catalogue.check_numbers(self.columns())
        return []

    def compute(self, moment: Moment) -> Floats:
        """Diluted rates `(N,)`."""
        load = moment.state.items[self.array]
        return np.asarray(moment.catalogue.numbers(self.column) / (1 + self.share * load))
