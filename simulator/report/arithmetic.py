"""An outcome, and the arithmetic that it can be redone from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simulator.records import Event
from simulator.report.figures import LONGEST_NAME
from simulator.report.markup import Child, Markup, el, foreign, join, separated
from simulator.report.reading import figure, listed, mapping, names, text

LONGEST_WORDS = 2000
MOST_STEPS = 12
MOST_PAIRED = 6


def outcome(event: Event, items: Sequence[str] = ()) -> Markup:
    """What was decided, why, and by which numbers.

    Args:
        event: an outcome.
        items: the round's candidates, in the order of the rows of a pairwise table.
    """
    slate, scores, trace = names(event.get("slate")), mapping(event.get("scores")), mapping(event.get("trace"))
    delivered = [
        [foreign(item, LONGEST_NAME), el("small", f" {figure(scores[item])}") if item in scores else None]
        for item in slate
    ]
    rule, why = text(trace, "rule"), text(event, "justification")
    head = el(
        "p",
        el("strong", "Outcome by "),
        el("code", foreign(event.get("mediator", ""), 80)),
        ": ",
        separated(delivered, ", "),
    )
    numbers = [
        _weighed(trace),
        _by_ballot("what each gave", mapping(trace.get("contributions")), slate, scores),
        _by_ballot("what each ballot says", mapping(trace.get("values")), slate, {}),
        _pairs(trace, event, items),
        _slates(trace),
        _steps(trace),
        _cost(trace),
    ]
    shown = [part for part in numbers if part is not None]
    return el(
        "div",
        head,
        el("p", foreign(why, LONGEST_WORDS), dir="auto") if why else None,
        el("p", foreign(rule, 300), class_="facts") if rule not in why else None,
        shown,
        [
            el("p", foreign(note, 300), class_="facts")
            for note in names(event.get("notes"))[:MOST_STEPS]
            if note not in why
        ],
        class_="outcome",
    )


def _by_ballot(title: str, given: Mapping[str, Any], slate: Sequence[str], scores: Mapping[str, Any]) -> Markup | None:
    """A line a ballot for the delivered items; contributions add up to the scores."""
    if not given or not slate:
        return None
    lines = [[name, *(figure(mapping(row).get(item)) for item in slate)] for name, row in given.items()]
    total = ["score", *(figure(scores.get(item)) for item in slate)] if scores else None
    return _table([title, *slate], lines, total)


def _weighed(trace: Mapping[str, Any]) -> Markup | None:
    """What a rule with memory held about each ballot, and the weights that ballots counted with."""
    columns = {**{name: mapping(values) for name, values in mapping(trace.get("standing")).items()}}
    if trace.get("weights"):
        columns["weight in this round"] = mapping(trace["weights"])
    if not columns:
        return None
    voters = dict.fromkeys(voter for values in columns.values() for voter in values)
    lines = [[voter, *(figure(values.get(voter)) for values in columns.values())] for voter in voters]
    return _table(["before the round", *(name.replace("_", " ") for name in columns)], lines)


def _pairs(trace: Mapping[str, Any], event: Event, items: Sequence[str]) -> Markup | None:
    """The weight of the ballots that rank the row's item above the column's, for the items that came first."""
    pairwise = trace.get("pairwise")
    if not isinstance(pairwise, list) or len(pairwise) != len(items):
        return None
    place = {item: row for row, item in enumerate(items)}
    first = [item for item in names(event.get("ranking")) if item in place][:MOST_PAIRED]
    lines = []
    for item in first:
        row = pairwise[place[item]]
        lines.append([item, *("" if other == item else figure(row[place[other]]) for other in first)])
    return _table(["ranked above", *first], lines) if len(first) > 1 else None


def _slates(trace: Mapping[str, Any]) -> Markup | None:
    found = [mapping(entry) for entry in listed(trace.get("slates"))]
    if not found:
        return None
    words = ("the slate", "the next best one")
    return el("ul", (
        el("li", f"{word}: ", separated([foreign(item, 40) for item in names(entry.get("slate"))], ", "),
           f", worth {figure(entry.get('value'))}")
        for word, entry in zip(words, found, strict=False)
    ), class_="steps")  # fmt: skip


def _steps(trace: Mapping[str, Any]) -> Markup | None:
    steps = [mapping(step) for step in listed(trace.get("steps"))]
    if not steps:
        return None
    shown = steps if len(steps) <= MOST_STEPS else [*steps[:3], *steps[-MOST_STEPS + 3 :]]
    lines: list[Child] = [el("li", _step(step)) for step in shown]
    if len(steps) > len(shown):
        lines.insert(3, el("li", f"… {len(steps) - len(shown)} more in events.jsonl …", class_="facts"))
    return el("ol", lines, class_="steps")


def _step(step: Mapping[str, Any]) -> Markup:
    things = separated([foreign(item, LONGEST_NAME) for item in str(step.get("item", "")).split("|")], ", ")
    act = f" {step['act']}" if step.get("act") else ""
    note = text(step, "note")
    return join([things, f"{act} {figure(step.get('value'))}", [" ", foreign(note, 200)] if note else None])


def _cost(trace: Mapping[str, Any]) -> Markup | None:
    if "cost" not in trace:
        return None
    proved = "proved to be the least" if trace.get("optimal") else "the least that was found, without proof"
    return el("p", f"The order costs {figure(trace['cost'])}, {proved}.", class_="facts")


def _table(head: Sequence[str], lines: Sequence[Sequence[str]], total: Sequence[str] | None = None) -> Markup:
    top = el("tr", el("th", foreign(head[0], 40)), (el("th", foreign(name, 30), class_="n") for name in head[1:]))
    body = [_line(line) for line in lines]
    table = el("table", el("thead", top), el("tbody", body), el("tfoot", _line(total)) if total else None)
    return el("div", table, class_="wide")


def _line(cells: Sequence[str]) -> Markup:
    return el("tr", el("th", foreign(cells[0], 40), scope="row"), (el("td", cell, class_="n") for cell in cells[1:]))
