"""The last round in a few numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulator.report.figures import LONGEST_NAME, bar, number
from simulator.report.markup import Markup, el, foreign, join, separated

if TYPE_CHECKING:
    from simulator.records import RoundRecord

NAMED = {"nash_welfare": "Nash welfare", "minimum": "Worst off", "gini": "Gini"}
ENDINGS = {"agreement": "agreed", "limit": "no agreement", "deadlock": "deadlock", "sealed": "sealed"}


def facts(record: RoundRecord | None) -> Markup:
    """What was delivered, how well it serves everyone, and what it took; nothing before the first round."""
    if record is None:
        return Markup("")
    row = record.row
    slate = separated([foreign(item, LONGEST_NAME) for item in str(row["slate"]).split("|")], ", ")
    ending = ENDINGS.get(str(row["ending"]), str(row["ending"]))
    turns = f"{row['turns']} turn{'' if row['turns'] == 1 else 's'}"
    tokens = int(row["prompt_tokens"]) + int(row["completion_tokens"])
    cells = [
        _cell("Delivered", slate, "fa-wide"),
        *(_cell(title, number(_float(row[name]))) for name, title in NAMED.items() if name in row),
        _cell("Ending", f"{ending}, {turns}"),
        *([_cell("Tokens", f"{tokens:,}")] if tokens else []),
    ]
    return join([el("div", cells, class_="fa-facts"), _served(record)])


def _served(record: RoundRecord) -> Markup | None:
    """Every stakeholder's utility as a bar."""
    lines = [line for line in record.stakeholder_rows if "utility" in line]
    if not lines:
        return None
    cells = [
        el("div", el("span", foreign(line["stakeholder"], 24), class_="fa-name"), bar(_float(line["utility"])))
        for line in lines
    ]
    return el("div", cells, class_="fa-served")


def _cell(title: str, value: Markup | str, class_: str | None = None) -> Markup:
    return el("div", el("span", title, class_="fa-title"), el("span", value, class_="fa-value"), class_=class_)


def _float(value: Any) -> float:
    return float("nan") if value is None else float(value)
