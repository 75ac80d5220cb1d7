"""How close an ordinal column comes to the level that the request asks for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulator.catalogue import Catalogue
from simulator.derivations.base import Derivation
from simulator.profile import Floats
from simulator.registry import register
from simulator.state import Moment


@register("derivation", "match")
@dataclass(frozen=True)
class Match(Derivation):
    """x(a) = 1 - |level(a) - wanted| / (levels - 1), wanted being the request's filter; missing if it has none.

    Attributes:
        column: the ordinal column.
        scale: its levels from low to high.
        filter: the request's filter that names the wanted level, in any case; the column's name by default.
    """

    column: str
    scale: tuple[str, ...]
    filter: str = ""

    depends_on = "request"

    def __post_init__(self) -> None:
        if len({name.casefold() for name in self.scale}) < max(len(self.scale), 2):
            raise ValueError("'scale' needs at least two levels, each once")

    def columns(self) -> tuple[str, ...]:
        """The ordinal column."""
        return (self.column,)

    def check(self, catalogue: Catalogue) -> list[str]:
        """Read the column once, so that faults show."""
        catalogue.levels(self.column, self.scale)
        return []

    def compute(self, moment: Moment) -> Floats:
        """Closeness `(N,)` in [0, 1]."""
        levels = moment.catalogue.levels(self.column, self.scale)
        wanted = str(moment.request.filters.get(self.filter or self.column, "")).casefold()
        known = [name.casefold() for name in self.scale]
        if wanted not in known:
            return np.full(len(moment.catalogue), np.nan)
        return np.asarray(1 - np.abs(levels - known.index(wanted)) / (len(known) - 1))
