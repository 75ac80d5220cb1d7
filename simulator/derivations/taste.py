"""How much of an item's kind there is in the request's own profile."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulator.derivations.base import Derivation
from simulator.profile import Floats
from simulator.registry import register
from simulator.requests import Request
from simulator.state import Moment


@register("derivation", "taste")
@dataclass(frozen=True)
class Taste(Derivation):
    """x(a) = the number in the request's field `prefix` + kind of a; 0 if it has no such field, missing without a kind.

    With the shares of kinds in what a user had before it is p(kind | user) of H. Steck, Calibrated recommendations,
    RecSys 2018.

    Attributes:
        column: column that tells an item's kind.
        prefix: what the request's fields are called before the kind, such as `likes_` in `likes_comedy`.
    """

    column: str
    prefix: str = "likes_"

    depends_on = "request"

    def columns(self) -> tuple[str, ...]:
        """The column."""
        return (self.column,)

    def check_request(self, request: Request) -> list[str]:
        """The fields must hold numbers."""
        stated = {name: value for name, value in request.fields.items() if name.startswith(self.prefix)}
        wrong = [name for name, value in stated.items() if _number(value) is None]
        if not stated:
            return [f"has no field '{self.prefix}<{self.column}>'"]
        return [f"field '{name}' is not a finite number" for name in wrong]

    def compute(self, moment: Moment) -> Floats:
        """Shares `(N,)`."""
        kinds = [text.strip() for text in moment.catalogue.columns[self.column]]
        known = {
            kind: _number(moment.request.fields.get(f"{self.prefix}{kind}", 0)) if kind else None
            for kind in dict.fromkeys(kinds)
        }
        return np.array([np.nan if known[kind] is None else known[kind] for kind in kinds], dtype=np.float64)


def _number(value: object) -> float | None:
    """A finite number, 0 for a blank; None for anything else."""
    text = str(value).strip()
    try:
        number = float(text or 0)
    except ValueError:
        return None
    return number if np.isfinite(number) else None
