"""All rounds as a table, with the conversation of a round folded under its line."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.report.conversation import conversation
from simulator.report.figures import count, number, share
from simulator.report.markup import Child, Markup, el, foreign, join, separated

if TYPE_CHECKING:
    from simulator.runs import Run

MOST_ROUNDS = 1000
MOST_LINES = 100
MOST_TOLD = 40
MOST_LYING = 5
LONGEST_LYING = 16
MOST_CHARACTERS = 2_500_000
ENDINGS = {"agreement": "agreed", "limit": "turn limit", "deadlock": "deadlock", "sealed": "sealed"}
METRICS = {"nash_welfare": "Nash welfare", "minimum": "worst off", "gini": "Gini"}


def round_table(run: Run) -> Markup:
    """The table; a long run tells the conversations of a stated sample, a very long one lists a stated sample."""
    rounds = [int(number) for number in run.rounds["round"]] if "round" in run.rounds else []
    if not rounds:
        return el("p", "No round was finished.")
    listed = spread_sample(rounds, MOST_ROUNDS)
    told = set(_worth_telling(run, listed))
    conversations = within(
        {number: conversation(events) for number, events in run.conversations() if number in told}, MOST_CHARACTERS
    )
    metrics = {column: shown for column, shown in METRICS.items() if column in run.rounds}
    utilities = run.by_stakeholder("utility")
    width = 4 + len(metrics) + len(utilities.columns)
    lines: list[Child] = []
    for row in run.rounds[run.rounds["round"].isin(set(listed))].to_dict("records"):
        own = utilities.loc[row["round"]].tolist()
        told_of: Child = None
        if (said := conversations.get(int(row["round"]))) is not None:
            folded = el("details", el("summary", f"what was said in round {row['round']}"), said)
            told_of = el("tr", el("td", folded, colspan=str(width)), class_="told")
        lines.append([_line(row, metrics, own), told_of])
    names = [str(name) for name in utilities.columns]
    head = el("thead", _head(metrics, names))
    # A browser lays out the part of a long run that is looked at; each part has the heads of its columns.
    tables = [
        el("div", el("table", head, el("tbody", lines[at : at + MOST_LINES]), class_="rounds"), class_="wide part")
        for at in range(0, len(lines), MOST_LINES)
    ]
    meaning = (
        el("p", "Under each stakeholder: its utility of the delivered slate, 0 to 1.", class_="facts")
        if names
        else None
    )
    return join([_sample_note(len(rounds), len(listed), len(conversations)), meaning, tables])


def _head(metrics: Mapping[str, str], names: Sequence[str]) -> Markup:
    """The heads of the columns; many or long names stand upright, so that their columns stay narrow."""
    tall = "n tall" if len(names) > MOST_LYING or any(len(name) > LONGEST_LYING for name in names) else "n"
    return el(
        "tr",
        (el("th", name) for name in ("round", "request", "delivered", "ended")),
        (el("th", shown, class_="n") for shown in metrics.values()),
        (el("th", foreign(name, 24), class_=tall, title="utility, 0 to 1") for name in names),
    )


def spread_sample(values: list[int], most: int) -> list[int]:
    """At most `most` of the values, evenly spread, the first and the last among them."""
    if len(values) <= most:
        return values
    return [values[i] for i in np.unique(np.linspace(0, len(values) - 1, most).round().astype(int))]


def within(conversations: dict[int, Markup], most: int) -> dict[int, Markup]:
    """The conversations, or as many of them, evenly spread, as hold `most` characters."""
    kept = conversations
    while len(kept) > 1 and sum(map(len, kept.values())) > most:
        share = most / sum(map(len, kept.values()))
        numbers = spread_sample(list(kept), max(1, min(len(kept) - 1, int(len(kept) * share))))
        kept = {number: kept[number] for number in numbers}
    return kept


def _worth_telling(run: Run, listed: list[int]) -> list[int]:
    """All rounds of a short run; else the first, the last, the worst and others evenly spread."""
    if len(listed) <= MOST_TOLD:
        return listed
    part = MOST_TOLD // 4
    chosen = dict.fromkeys([*listed[:part], *listed[-part:]])
    if "minimum" in run.rounds:
        worst = run.rounds[run.rounds["round"].isin(set(listed))].nsmallest(part, "minimum")["round"]
        chosen.update(dict.fromkeys(int(number) for number in worst))
    others = [number for number in listed if number not in chosen]
    return sorted([*chosen, *spread_sample(others, MOST_TOLD - len(chosen))])


def _sample_note(rounds: int, listed: int, told: int) -> Markup | None:
    if told == rounds:
        return None
    lines = f"{listed:,} of {count(rounds, 'round')} are listed, evenly spread. " if listed < rounds else ""
    which = "the first, the last, those with the lowest minimum, and others evenly spread"
    said = f"{lines}The conversations of {told} of {count(rounds, 'round')} can be unfolded: {which}."
    return el("p", said, " All of them are in events.jsonl.", class_="facts")


def _line(row: Mapping[Any, Any], metrics: Mapping[str, str], own: list[float]) -> Markup:
    took = f", {count(row['turns'], 'turn')}" if isinstance(row.get("turns"), int) else None
    slate = row["slate"].split("|") if isinstance(row.get("slate"), str) else []
    return el(
        "tr",
        el("th", str(row["round"]), scope="row"),
        el("td", foreign(row.get("request", ""), 40)),
        el("td", separated([foreign(item, 40) for item in slate], ", "), class_="slate"),
        el("td", ENDINGS.get(str(row.get("ending")), "-"), took, class_="ended"),
        (el("td", number(_float(row[column])), class_="n") for column in metrics),
        (el("td", number(value), class_="n share", style=f"--share:{share(value):.3f}") for value in own),
    )


def _float(value: object) -> float:
    return float(value) if isinstance(value, int | float) else math.nan
