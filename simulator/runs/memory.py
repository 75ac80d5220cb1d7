"""A run that is kept in memory, for the Python API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from simulator.records import Event, RoundRecord
from simulator.runs.lines import RowLines
from simulator.runs.run import Run, frame_of

if TYPE_CHECKING:
    import pandas as pd


class MemoryRecorder:
    """A recorder that keeps everything; its frames are those that `read_run` gives for the same records.

    Attributes:
        records: the finished rounds.
        events: all events, those of an unfinished round included.
    """

    def __init__(self) -> None:
        self.records: list[RoundRecord] = []
        self.events: list[Event] = []

    def event(self, event: Event) -> None:
        """Keep an event."""
        self.events.append(event)

    def round(self, record: RoundRecord) -> None:
        """Keep a finished round."""
        self.records.append(record)

    def frames(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Rounds and stakeholders as DataFrames."""
        run = self.run({})
        return run.rounds, run.stakeholders

    def run(self, manifest: Mapping[str, Any]) -> Run:
        """What was recorded so far, with a manifest to go with it."""
        rounds, stakeholders, timings = RowLines(), RowLines(), RowLines()
        for record in self.records:
            rounds.add((record.row,))
            stakeholders.add(record.stakeholder_rows)
            timings.add(record.timings)
        events = tuple(self.events)
        # By way of the CSV text: one road for both kinds of run, so no dtype can differ.
        frames = [frame_of(lines.take()) for lines in (rounds, stakeholders, timings)]
        return Run(dict(manifest), frames[0], frames[1], frames[2], lambda: iter(events))
