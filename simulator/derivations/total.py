"""The sum of several number columns, such as all venues of a city."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulator.catalogue import Catalogue
from simulator.derivations.base import Derivation
from simulator.profile import Floats
from simulator.registry import register
from simulator.state import Moment


@register("derivation", "total")
@dataclass(frozen=True)
class Total(Derivation):
    """x(a) = sum of `of` over columns; missing as soon as one of them is missing."""

    of: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.of:
            raise ValueError("'of' needs at least one column")

    def columns(self) -> tuple[str, ...]:
        """The summed columns."""
        return self.of

    def check(self, catalogue: Catalogue) -> list[str]:
        """Read the columns once, so that faults show."""
        catalogue.check_numbers(self.columns())
        return []

    def compute(self, moment: Moment) -> Floats:
        """Sum `(N,)`."""
        return np.asarray(sum(moment.catalogue.numbers(column) for column in self.of))
