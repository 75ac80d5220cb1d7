"""An outcome whose slate is worked out at once, and whose full ranking when somebody first looks at it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cached_property
from typing import Any, NamedTuple

from simulator.outcome import Outcome, Trace


class Ranked(NamedTuple):
    """The parts of an outcome that need the full ranking; see `Outcome`."""

    order: tuple[int, ...]
    tier_indices: tuple[tuple[int, ...], ...]
    trace: Trace
    notes: tuple[str, ...]


class StagedOutcome(Outcome):
    """An `Outcome` like any other: only when the ranking is computed differs.

    The slate of a sequential rule takes k choices, the ranking m. A caller that wants slates alone, of a thousand
    ballots or in a batch, need not wait for the ranking.
    """

    def __init__(self, rank: Callable[[], Ranked] | None = None, **known: Any) -> None:
        """Make it of the parts that are known and the function that works out the others; None if all are known.

        All are known where `dataclasses.replace` makes another one of it.
        """
        for name, value in known.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_rank", rank)

    @cached_property
    def _ranked(self) -> Ranked:
        ranked: Ranked = self.__dict__.pop("_rank")()
        return ranked

    @cached_property
    def order(self) -> tuple[int, ...]:
        """All items as indices, best first."""
        return self._ranked.order

    @cached_property
    def tier_indices(self) -> tuple[tuple[int, ...], ...]:
        """The ranking with its ties."""
        return self._ranked.tier_indices

    @cached_property
    def trace(self) -> Trace:
        """The arithmetic."""
        return self._ranked.trace

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Conversions and ties, in words."""
        return self._ranked.notes

    def __reduce__(self) -> tuple[type[Outcome], tuple[Any, ...]]:
        """A pickled or copied outcome is a plain one."""
        return Outcome, tuple(getattr(self, field.name) for field in fields(Outcome))
