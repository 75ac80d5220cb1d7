"""What a run prints: a progress bar and a line a round on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO

from simulator.records import Event, RoundRecord

if TYPE_CHECKING:
    from simulator.scenario import Scenario
    from simulator.simulate import RunResult


class RunView:
    """Prints a run as it happens."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._progress: Any = None
        self._task: Any = None
        self._warned: set[tuple[str, str]] = set()

    def __enter__(self) -> Self:
        parties = self._scenario.parties
        title = f"{plain(self._scenario.file.title)}: {', '.join(plain(party.name) for party in parties)}"
        rules = (
            f"{self._scenario.mediator.label}, {self._scenario.candidate_count} candidates, k = {self._scenario.file.k}"
        )
        line = f"{title} ({rules})"
        asks = any(party.kind is not None and party.kind.asks_person for party in self._scenario.parties)
        if asks or not sys.stdout.isatty():  # a moving bar would write over the person's answers
            print(line, flush=True)
        else:
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                Progress,
                SpinnerColumn,
                TextColumn,
                TimeElapsedColumn,
            )

            columns = (SpinnerColumn(), TextColumn("rounds"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            self._progress = Progress(*columns, transient=True)
            self._task = self._progress.add_task("rounds", total=self._scenario.file.rounds)
            self._progress.start()
            self._progress.console.print(line, markup=False, highlight=False)  # wraps between words
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.stop()

    def round(self, record: RoundRecord) -> None:
        """Print a finished round, after what it is the first to warn of."""
        for event in record.events:
            if event["event"] == "warning":
                self._warn(event)
        self._print(round_line(record))
        if self._progress is not None:
            self._progress.advance(self._task)

    def _warn(self, event: Event) -> None:
        key = (event["kind"], event.get("stakeholder", ""))
        if key in self._warned:
            return
        self._warned.add(key)
        if event["message"] not in self._scenario.warnings:  # which the run has begun with
            self._print(f"warning: {printable(event['message'])}", sys.stderr)

    def _print(self, line: str, plainly: TextIO | None = None) -> None:
        """Print a line above the progress bar, or, without one, to `plainly` (stdout by default)."""
        if self._progress is None:
            print(line, flush=True, file=plainly)
        else:
            self._progress.console.print(line, markup=False, highlight=False)

    def summary(self, result: RunResult) -> None:
        """Print, per stakeholder, its mean utility and how well its ballots fit its objective in numbers."""
        wanted = {"utility": "utility", "alignment": "alignment", "alignment_equal_weights": "at equal weights"}
        known = {name: title for name, title in wanted.items() if name in result.stakeholders.columns}
        if not known:
            return
        means = result.stakeholders.groupby("stakeholder", sort=False)[list(known)].mean()
        faults = _fault_totals(result)
        rows = [
            {
                "stakeholder": name,
                **{title: _shown(row[metric]) for metric, title in known.items()},
                "faults": faults.get(str(name), 0),
            }
            for name, row in means.iterrows()
        ]
        overall = {title: _shown(means[metric].mean()) for metric, title in known.items()}
        print()
        print_table([*rows, {"stakeholder": "mean", **overall, "faults": sum(faults.values())}])


def round_line(record: RoundRecord) -> str:
    """One round in one line: slate, utilities, Nash welfare, Gini, turns, tokens."""
    row = record.row
    served = " ".join(
        f"{plain(line['stakeholder'])} {_shown(line['utility'])}"
        for line in record.stakeholder_rows
        if "utility" in line
    )
    named = (("nash_welfare", "Nash"), ("gini", "Gini"))
    figures = [f"{title} {_shown(row[name])}" for name, title in named if name in row]
    turns = f"{row['turns']} turn{'s' if row['turns'] != 1 else ''}, {row['ending']}"
    tokens = f"{row['prompt_tokens'] + row['completion_tokens']} tokens"
    slate = ", ".join(plain(item) for item in str(row["slate"]).split("|"))
    return " | ".join([f"round {record.round}: {slate}", *filter(None, [served]), *figures, turns, tokens])


def print_table(rows: list[dict[str, Any]]) -> None:
    """Print rows as aligned columns."""
    if not rows:
        return
    columns = list(rows[0])
    cells = [[_cell(row[column]) for column in columns] for row in rows]
    widths = [max(len(column), *(len(line[place]) for line in cells)) for place, column in enumerate(columns)]
    for line in [columns, *cells]:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def printable(text: str) -> str:
    """Foreign text for a terminal: control characters, which could move the cursor, as `?`."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def plain(text: object) -> str:
    """Foreign text for a line on a terminal: printable, and cut at 60 letters."""
    shown = printable(str(text))
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _fault_totals(result: RunResult) -> dict[str, int]:
    from simulator.faults import FAULTS

    counted = [fault for fault in FAULTS if fault in result.stakeholders.columns]
    sums = result.stakeholders.groupby("stakeholder", sort=False)[counted].sum().sum(axis=1)
    return {str(name): int(total) for name, total in sums.items()}


def _shown(value: Any) -> str:
    return "-" if value is None or value != value else f"{value:.2f}"


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return printable(", ".join(map(str, value))) or "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return printable(str(value))
