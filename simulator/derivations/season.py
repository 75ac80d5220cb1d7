"""How busy the travel month is at a place: low, medium or high season."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulator.catalogue import Catalogue, CatalogueError
from simulator.derivations.base import Derivation
from simulator.profile import Floats
from simulator.registry import register
from simulator.requests import month_number
from simulator.state import Moment


@register("derivation", "season")
@dataclass(frozen=True)
class Season(Derivation):
    """x(a) = 0 in low, 1 in medium, 2 in high season of the month; missing where no column lists the month.

    The month is the request's, else the calendar's. Columns hold English month names joined by `|`.
    """

    low: str = "low_season"
    medium: str = "medium_season"
    high: str = "high_season"

    depends_on = "request"

    def columns(self) -> tuple[str, ...]:
        """The three season columns."""
        return (self.low, self.medium, self.high)

    def check(self, catalogue: Catalogue) -> list[str]:
        """Every listed month must be a month."""
        faults = [
            (line, f"column '{column}': {name.strip()!r} is not a month; write January to December, joined by '|'")
            for column in self.columns()
            for text, line in zip(catalogue.columns[column], catalogue.lines, strict=True)
            for name in text.split("|")
            if name.strip() and month_number(name) is None
        ]
        if faults:
            raise CatalogueError(catalogue.path, faults)
        return []

    def compute(self, moment: Moment) -> Floats:
        """Level `(N,)` of the month."""
        values = np.full(len(moment.catalogue), np.nan)
        if moment.month is None:
            return values
        for level, column in enumerate(self.columns()):
            texts = moment.catalogue.columns[column]
            listed = [moment.month in map(month_number, text.split("|")) for text in texts]
            values[np.array(listed, dtype=np.bool_)] = level
        return values
