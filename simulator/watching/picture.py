"""The figures of a run in letters: utilities, fairness, satisfaction, rank paths, agreement, and what was said."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from simulator.terminal import plain, printable

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from simulator.profile import Floats
    from simulator.records import Event, RoundRecord
    from simulator.scenario import Scenario

BARS = " ▁▂▃▄▅▆▇█"
NARROWEST, WIDEST = 8, 40
WIDE = 116
LONGEST_NAME = 18
FAIRNESS = {"nash_welfare": "Nash welfare", "minimum": "worst off", "gini": "Gini"}
MOST_SAID = 8
MOST_ITEMS = 6
MOST_TAU = 8
MOST_PLACES = 12


def screen(scenario: Scenario, records: Sequence[RoundRecord], width: int = 80) -> RenderableType:
    """Everything about the last rounds, in about 30 lines where the terminal has room for two tables side by side."""
    from rich.columns import Columns
    from rich.console import Group
    from rich.text import Text

    title = Text(plain(scenario.file.title), style="bold")
    done = records[-1].round if records else 0
    title.append(f"  round {done} of {scenario.file.rounds}", style="default")
    if not records:
        return Group(title, Text("the first round is being negotiated", style="dim"))
    last = records[-1]
    title.append(
        f"  {plain(last.row['mediator'])}, {_count(last.row['turns'], 'turn')}, {last.row['ending']}", style="dim"
    )
    slate = Text("delivered: ").append(", ".join(map(plain, str(last.row["slate"]).split("|"))), style="bold")
    room = (width - 100) // 2 if width >= WIDE else width - 64  # what the other columns leave
    course = records[-min(max(room, NARROWEST), WIDEST) :]
    upper = Columns([_served(course), _fairness(course)], padding=(0, 3))  # below each other where there is no room
    lower = Columns([_paths(records), *_agreement(last)], padding=(0, 3))
    return Group(title, slate, Text(), upper, Text(), lower, Text(), *_said(last), *_world(last))


def sparkline(values: Iterable[float | None], low: float = 0.0, high: float = 1.0) -> str:
    """A line of bars, one a value, from `low` to `high`; a dot where there is none."""
    drawn = []
    for value in values:
        if value is None or math.isnan(value):
            drawn.append("·")
        else:
            share = min(max((value - low) / (high - low), 0.0), 1.0)
            drawn.append(BARS[1 + round(share * (len(BARS) - 2))])
    return "".join(drawn)


def _table(*columns: str) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, padding=(0, 1), show_edge=False, header_style="dim")
    for place, column in enumerate(columns):
        table.add_column(column, no_wrap=True, justify="left" if place == 0 else "right", overflow="ellipsis")
    return table


def _served(records: Sequence[RoundRecord]) -> Table:
    """A line a stakeholder: its utility now and over the rounds, in sum, its longest dry spell, its verdict."""
    table = _table("stakeholder", "utility", _window(records), "sum", "dry spell", "verdict")
    table.columns[2].justify = "left"
    for place, line in enumerate(records[-1].stakeholder_rows):
        course = [record.stakeholder_rows[place].get("utility") for record in records]
        verdict = {True: "accepts", False: "revises", None: "-"}[line.get("accepted")]
        table.add_row(
            _cell(line["stakeholder"]),
            _shown(line.get("utility")),
            sparkline(course),
            _shown(line.get("cumulative_utility"), 1),
            _shown(line.get("dry_spell"), 0),
            verdict,
        )
    return table


def _fairness(records: Sequence[RoundRecord]) -> Table:
    """A line a metric: this round, the rounds, and over all rounds so far."""
    table = _table("fairness", "now", _window(records), "so far")
    table.columns[2].justify = "left"
    row = records[-1].row
    for name, title in FAIRNESS.items():
        if name in row:
            course = [record.row.get(name) for record in records]
            table.add_row(title, _shown(row[name]), sparkline(course), _shown(row.get(f"cumulative_{name}")))
    turns = [record.row["turns"] for record in records]
    table.add_row("turns", str(turns[-1]), sparkline(turns, 0, max(turns)), "")
    return table


def _paths(records: Sequence[RoundRecord]) -> Table:
    """A line for each delivered item: its places in the collective rankings; a dot where it was not on the table."""
    recent = records[-MOST_PLACES:]
    table = _table("delivered", f"place in the {_window(recent)} rounds")
    table.columns[1].justify = "left"
    rounds = [_places(record.events) for record in recent]
    for item in str(records[-1].row["slate"]).split("|")[:MOST_ITEMS]:
        table.add_row(_cell(item), " ".join(f"{places[item]:g}" if item in places else "·" for places in rounds))
    return table


def _places(events: Sequence[Event]) -> Mapping[str, float]:
    """Every item's place in a round's last outcome, from 1; tied items stand at the mean of their places."""
    outcome = next((event for event in reversed(events) if event["event"] == "outcome"), None)
    places: dict[str, float] = {}
    for tier in () if outcome is None else outcome["tiers"]:
        above = len(places)
        places.update(dict.fromkeys(tier, above + (len(tier) + 1) / 2))
    return places


def _agreement(record: RoundRecord) -> list[Table]:
    """Kendall's tau-b between the last ballots of a round, and with its outcome; nothing for very many stakeholders."""
    names = [str(line["stakeholder"]) for line in record.stakeholder_rows]
    tau = _tau(record) if len(names) <= MOST_TAU else None
    if tau is None:
        return []
    table = _table("agreement (tau)", *(f"({place})" for place in range(1, len(names))), "outcome")
    for place, name in enumerate(names):
        cells = [_shown(tau[place, other]) if other < place else "" for other in range(len(names) - 1)]
        table.add_row(_cell(f"({place + 1}) {name}"), *cells, _shown(tau[place, len(names)]))
    return [table]


def _tau(record: RoundRecord) -> Floats | None:
    from simulator.metrics.kendall_tau import tau_b
    from simulator.plots.ballots import last_words
    from simulator.runs import MemoryRecorder

    memory = MemoryRecorder()
    for event in record.events:
        memory.event(event)
    memory.round(record)
    word = next(last_words(memory.run({})), None)
    return None if word is None else tau_b(word.ranks[:, None, :], word.ranks[None, :, :])


def _said(record: RoundRecord) -> list[RenderableType]:
    """The request, everybody's last argument, and the justification of the outcome."""
    from rich.text import Text

    request = next((event for event in record.events if event["event"] == "request"), {})
    spoken = {e["stakeholder"]: str(e.get("argument") or "") for e in record.events if e.get("argument")}
    outcome = next((event for event in reversed(record.events) if event["event"] == "outcome"), {})
    lines: list[RenderableType] = [_line("request", request.get("text") or request.get("wish") or "")]
    lines += [_line(name, words) for name, words in list(spoken.items())[:MOST_SAID]]
    lines.append(Text(printable(str(outcome.get("justification", "")))[:600], style="dim"))
    return lines


def _world(record: RoundRecord) -> list[RenderableType]:
    """What the round made of the items that it delivered."""
    event = next((event for event in record.events if event["event"] == "evolve"), {})
    return [
        _line(name.replace("_", " "), ", ".join(f"{item} {value:.3g}" for item, value in values.items()))
        for name, values in event.get("arrays", {}).items()
    ]


def _line(title: str, words: str) -> Any:
    from rich.text import Text

    line = Text(no_wrap=True, overflow="ellipsis")
    line.append(f"{plain(title)}: ", style="bold")
    return line.append(" ".join(printable(words).split())[:400])


def _cell(text: object) -> Any:
    """Foreign text for a cell: nothing in it is markup."""
    from rich.text import Text

    return Text(plain(text)[:LONGEST_NAME])


def _window(records: Sequence[RoundRecord]) -> str:
    return f"last {len(records)}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _shown(value: Any, digits: int = 2) -> str:
    return "-" if value is None or value != value else f"{value:.{digits}f}"
