"""What a round leaves behind: one row for the round, one for every stakeholder, its events and its timings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Row = dict[str, Any]
Event = dict[str, Any]  # what JSON can hold, and tuples for lists


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """A finished round.

    Attributes:
        round: counts from 1.
        row: the line of rounds.csv.
        stakeholder_rows: the lines of stakeholders.csv, in scenario order.
        events: the objects of events.jsonl, in order.
        timings: the lines of timings.csv.
    """

    round: int
    row: Row
    stakeholder_rows: Sequence[Row]
    events: Sequence[Event]
    timings: Sequence[Row]


class Recorder(Protocol):
    """Keeps what a run leaves: the run folder does, and so does whatever a user writes.

    `event` is called as soon as an event is known (at the end of each turn), `round` when the round is complete.
    """

    def event(self, event: Event) -> None:
        """One event."""

    def round(self, record: RoundRecord) -> None:
        """One finished round; its events were given before."""
