"""One run as data: its frames, its events and its manifest, wherever they come from."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

from simulator.records import Event

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from simulator.runs.course import Course
    from simulator.runs.setting import Setting

TEXT_COLUMNS = ("request", "mediator", "ending", "slate", "stakeholder")


@dataclass(frozen=True)
class Run:
    """A run to look at.

    Attributes:
        manifest: status, versions, seed, scenario, model, cost and time; empty keys are simply missing.
        rounds: one row a round.
        stakeholders: one row a round and stakeholder.
        timings: seconds a round and stakeholder; a missing stakeholder means the whole round.
        source: makes a new iterator over the events.
        folder: the run folder; None for a run that is kept in memory.
        select: the same for the events of these kinds alone, where that is faster than looking at all of them.
    """

    manifest: Mapping[str, Any]
    rounds: pd.DataFrame
    stakeholders: pd.DataFrame
    timings: pd.DataFrame
    source: Callable[[], Iterator[Event]]
    folder: Path | None = None
    select: Callable[[tuple[str, ...]], Iterator[Event]] | None = None

    def events(self, *kinds: str) -> Iterator[Event]:
        """The events in order; only those of the named kinds if any are named."""
        found = self.select(kinds) if kinds and self.select is not None else self.source()
        return (event for event in found if not kinds or event.get("event") in kinds)

    def outcomes(self) -> Iterator[Event]:
        """The outcome of every turn, in order."""
        return self.events("outcome")

    def conversations(self) -> Iterator[tuple[int, list[Event]]]:
        """The events of each round, round by round."""
        for number, events in groupby(self.events(), key=lambda event: event["round"]):
            yield number, list(events)

    @property
    def title(self) -> str:
        """The scenario's title, else its name."""
        return str(self.manifest.get("title") or self.manifest.get("scenario") or "Run")

    @cached_property
    def setting(self) -> Setting | None:
        """The scenario that was run; None if it is not known."""
        from simulator.runs.setting import read_setting

        return None if self.folder is None else read_setting(self.folder)

    @cached_property
    def course(self) -> Course | None:
        """The world's state over the rounds; None if the catalogue is not known."""
        from simulator.runs.course import course

        return course(self)

    @cached_property
    def names(self) -> list[str]:
        """The stakeholders in scenario order."""
        if self.stakeholders.empty:
            return []
        return [str(name) for name in self.stakeholders["stakeholder"].unique()]

    def by_stakeholder(self, column: str) -> pd.DataFrame:
        """One column of stakeholders.csv, rounds down, stakeholders across; no columns if it is not logged."""
        import pandas as pd

        if column not in self.stakeholders:
            return pd.DataFrame(index=self.rounds.get("round", pd.Series(dtype="int64")))
        table = self.stakeholders.pivot(index="round", columns="stakeholder", values=column)
        return table[self.names].astype(float)


def frame_of(csv_text: str) -> pd.DataFrame:
    """A DataFrame of CSV text: floats exactly as written, ids and names as text, only blank is missing."""
    import pandas as pd

    if not csv_text:
        return pd.DataFrame()
    # Exact by default since pandas 3.1, which warns of the option; before, the default could be off by one bit.
    exact: dict[str, Any] = {} if _version(pd.__version__) >= (3, 1) else {"float_precision": "round_trip"}
    frame: pd.DataFrame = pd.read_csv(
        io.StringIO(csv_text),
        dtype=dict.fromkeys(TEXT_COLUMNS, "str"),
        keep_default_na=False,
        na_values=[""],
        **exact,
    )
    return frame


def _version(text: str) -> tuple[int, int]:
    major, minor = text.split(".")[:2]
    return int(major), int(minor)
