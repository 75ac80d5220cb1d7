"""The stakeholders side by side, over the whole run."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from simulator.report.facts import Served
from simulator.report.figures import LONGEST_NAME, bar, number, percent
from simulator.report.markup import Markup, el, foreign


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, what it means, its value (nan = not logged), and how that is shown."""

    name: str
    meaning: str
    value: Callable[[Served], float]
    show: Callable[[float], str]


COLUMNS = (
    Column("utility", "mean utility of the delivered slates, 0 to 1", lambda p: p.utility, bar),
    Column("worst round", "smallest utility of a round", lambda p: p.worst, number),
    Column(
        "dry spell",
        "most rounds in a row without an item of its own top k",
        lambda p: p.dry_spell,
        lambda v: number(v, 0),
    ),
    Column("agreement", "mean Kendall tau between its last ballot and the outcome", lambda p: p.agreement, number),
    Column("accepted", "share of the outcomes that it accepted in the end", lambda p: p.accepted, percent),
    Column("alignment", "mean Kendall tau between its first proposal and its objective", lambda p: p.alignment, number),
    Column("equal weights", "the same for equal weights with the right signs", lambda p: p.baseline, number),
    Column("gap closed", "(alignment - equal weights) / (1 - equal weights)", lambda p: p.gap_closed, percent),
    Column("faults", "faults found in its replies", lambda p: sum(p.faults.values()), lambda v: f"{v:,.0f}"),
    Column("tokens", "prompt and completion tokens", lambda p: p.tokens, lambda v: f"{v:,.0f}"),
)


def stakeholder_table(parties: Sequence[Served]) -> Markup | None:
    """One line a stakeholder; columns that nobody has a figure for are left out."""
    if not parties:
        return None
    shown = [column for column in COLUMNS if any(not math.isnan(column.value(party)) for party in parties)]
    head = el("tr", el("th", "stakeholder"), (el("th", c.name, title=c.meaning, class_="n") for c in shown))
    body = [
        el(
            "tr",
            el("th", foreign(party.name, LONGEST_NAME), scope="row"),
            (el("td", column.show(column.value(party)), class_="n") for column in shown),
        )
        for party in parties
    ]
    return el("div", el("table", el("thead", head), el("tbody", body)), class_="wide")
