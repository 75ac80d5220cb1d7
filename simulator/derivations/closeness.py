"""How close a column comes to the number that the request states."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from simulator.catalogue import Catalogue
from simulator.derivations.base import Derivation
from simulator.profile import Floats
from simulator.registry import register
from simulator.requests import Request
from simulator.state import Moment


@register("derivation", "closeness")
@dataclass(frozen=True)
class Closeness(Derivation):
    """x(a) = -|column(a) - wanted|, wanted being the request's field; missing if either is. 0 = just as wanted.

    With a column of popularity, and the mean popularity of what a user had before as the field, it is calibrated
    popularity: what is close is as popular as the user's own taste, so that the popularity lift is near 0 (H.
    Abdollahpouri et al., The connection between popularity bias, calibration, and fairness in recommendation, RecSys
    2020).

    Attributes:
        column: a column of numbers.
        field: the request's field or filter with the wanted number, in the column's unit.
    """

    column: str
    field: str

    depends_on = "request"

    def columns(self) -> tuple[str, ...]:
        """The column."""
        return (self.column,)

    def check(self, catalogue: Catalogue) -> list[str]:
        """Read the column once, so that faults show."""
        catalogue.check_numbers(self.columns())
        return []

    def check_request(self, request: Request) -> list[str]:
        """What the field holds must be a number, or blank."""
        return [] if self._wanted(request) is not None else [f"field '{self.field}' is not a finite number"]

    def compute(self, moment: Moment) -> Floats:
        """Closeness `(N,)`, at most 0."""
        wanted = self._wanted(moment.request)
        assert wanted is not None
        return np.asarray(-np.abs(moment.catalogue.numbers(self.column) - wanted))

    def _wanted(self, request: Request) -> float | None:
        """The wanted number, nan if the request states none; None if it is no number."""
        stated = request.fields.get(self.field, request.filters.get(self.field, ""))
        if str(stated).strip() == "":
            return math.nan
        try:
            number = float(stated)
        except (TypeError, ValueError):
            return None
        return number if math.isfinite(number) else None
