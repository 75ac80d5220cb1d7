"""One round as it was negotiated: the request, every ballot and argument, the outcome and how it was reckoned."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from simulator.records import Event
from simulator.report.figures import LONGEST_NAME, number
from simulator.report.markup import Child, Markup, el, foreign, join, separated

LONGEST_SPEECH = 1000
MOST_RANKED = 5
MOST_LISTED = 12


def conversation(events: Sequence[Event]) -> Markup:
    """The events of one round for people; the whole of them stands in events.jsonl."""
    parts: list[Child] = [_request(event) for event in events if event["event"] == "request"]
    turns = [event for event in events if isinstance(event.get("turn"), int)]
    for turn, said in groupby(turns, key=lambda event: event["turn"]):
        parts += [el("h4", f"Turn {turn}"), _turn(list(said))]
    parts += [_evolve(event) for event in events if event["event"] == "evolve"]
    return join(parts)


def _request(event: Event) -> Markup:
    asked = _text(event, "text") or _text(event, "wish")
    facts: list[Child] = []
    if _text(event, "wish") and _text(event, "text"):
        facts.append(["as a wish: ", foreign(event["wish"], LONGEST_SPEECH)])
    for key, value in list(_mapping(event.get("filters")).items())[:MOST_LISTED]:
        facts.append([foreign(key, 40), ": ", foreign(value, 120)])
    unspoken = _names(event.get("unspoken"))
    if unspoken:
        facts.append(["no attribute speaks of: ", foreign(", ".join(unspoken), 300)])
    facts.append(f"{len(_names(event.get('candidates')))} candidates")
    return join([_speech(asked), el("p", separated(facts), class_="facts")])


def _turn(events: Sequence[Event]) -> Markup:
    """A card for each stakeholder, with its answer to the outcome, then the outcome."""
    names = dict.fromkeys(str(event["stakeholder"]) for event in events if "stakeholder" in event)
    cards = []
    for name in names:
        own = {event["event"]: event for event in events if event.get("stakeholder") == name}
        cards.append(_card(name, own.get("proposal"), own.get("response")))
    outcomes = [_outcome(event) for event in events if event["event"] == "outcome"]
    return join([el("div", cards, class_="cards"), outcomes])


def _card(name: str, proposal: Event | None, response: Event | None) -> Markup:
    parts: list[Child] = [el("h5", foreign(name, LONGEST_NAME))]
    if proposal is None:
        parts.append(el("p", "Keeps its ballot.", class_="facts"))
    else:
        parts += [_speech(_text(proposal, "argument")), _ballot(proposal), _details(proposal)]
    if response is not None:
        accepts = response.get("verdict") == "accept"
        answer = el("span", "accepts" if accepts else "asks to revise", class_="yes" if accepts else "no")
        parts += [el("p", "On the outcome: ", answer), _speech(_text(response, "argument"))]
    return el("div", parts, class_="card")


def _ballot(event: Event) -> Markup:
    tiers = [_names(tier) for tier in event.get("ranking") or ()]
    if not tiers:
        return el("p", "Abstains.", class_="facts")
    utilities = _mapping(event.get("utilities"))
    lines = [
        el("li", _items(tier), el("small", f" {number(_float(utilities[tier[0]]))}") if tier[0] in utilities else None)
        for tier in tiers[:MOST_RANKED]
    ]
    below = sum(map(len, tiers[MOST_RANKED:]))
    return join([el("ol", lines), el("p", f"and {below} below", class_="facts") if below else None])


def _details(event: Event) -> Markup | None:
    facts: list[Child] = []
    details = _mapping(event.get("details"))
    weights = _mapping(details.get("weights"))
    if weights:
        shown = sorted(weights.items(), key=lambda entry: -abs(_float(entry[1])))[:MOST_LISTED]
        facts.append(["weighs ", separated([[foreign(name, 40), f" {number(_float(w))}"] for name, w in shown], ", ")])
    elif details.get("way"):
        facts.append(["way: ", foreign(details["way"], 40)])
    for fault, times in _mapping(event.get("faults")).items():
        facts.append([foreign(fault.replace("_", " "), 40), f": {_float(times):.0f}"])
    return el("p", separated(facts), class_="facts") if facts else None


def _outcome(event: Event) -> Markup:
    slate = _names(event.get("slate"))
    scores = _mapping(event.get("scores"))
    delivered = [
        [foreign(item, LONGEST_NAME), el("small", f" {_float(scores[item]):.4g}") if item in scores else None]
        for item in slate
    ]
    trace = _mapping(event.get("trace"))
    rule = _text(trace, "rule")
    return el(
        "div",
        el(
            "p",
            el("strong", "Outcome by "),
            el("code", foreign(event.get("mediator", ""), 80)),
            ": ",
            separated(delivered, ", "),
        ),
        el("p", foreign(event["justification"], 2 * LONGEST_SPEECH), dir="auto")
        if _text(event, "justification")
        else None,
        el("p", foreign(rule, 300), class_="facts") if rule not in _text(event, "justification") else None,
        _contributions(trace, slate, scores),
        _steps(trace),
        [el("p", foreign(note, 300), class_="facts") for note in _names(event.get("notes"))[:MOST_LISTED]],
        class_="outcome",
    )


def _contributions(trace: Mapping[str, Any], slate: Sequence[str], scores: Mapping[str, Any]) -> Markup | None:
    """What each ballot gave to the delivered items; the lines add up to the scores."""
    given = _mapping(trace.get("contributions"))
    if not given or not slate:
        return None
    head = el("tr", el("th", "what each gave"), (el("th", foreign(item, 30), class_="n") for item in slate))
    lines = [
        el(
            "tr",
            el("th", foreign(name, 40), scope="row"),
            (el("td", _figure(_mapping(row).get(item)), class_="n") for item in slate),
        )
        for name, row in given.items()
    ]
    total = el(
        "tr", el("th", "score", scope="row"), (el("td", _figure(scores.get(item)), class_="n") for item in slate)
    )
    table = el("table", el("thead", head), el("tbody", lines), el("tfoot", total if scores else None))
    return el("div", table, class_="wide")


def _steps(trace: Mapping[str, Any]) -> Markup | None:
    steps = [step for step in trace.get("steps") or () if isinstance(step, Mapping)][:MOST_LISTED]
    if not steps:
        return None
    lines = [
        el(
            "li",
            foreign(step.get("item", ""), LONGEST_NAME),
            " ",
            _figure(step.get("value")),
            " ",
            foreign(step.get("note", ""), 200),
        )
        for step in steps
    ]
    return el("ol", lines, class_="steps")


def _evolve(event: Event) -> Markup | None:
    arrays = _mapping(event.get("arrays"))
    facts: list[Child] = [f"month {event['month']}"] if isinstance(event.get("month"), int) else []
    for name, values in arrays.items():
        each = [
            [foreign(item, 40), f" {_figure(value)}"] for item, value in list(_mapping(values).items())[:MOST_LISTED]
        ]
        facts.append([foreign(name.replace("_", " "), 40), ": ", separated(each, ", ")])
    return el("p", "Afterwards: ", separated(facts), class_="facts") if facts else None


def _speech(text: str) -> Markup | None:
    """Somebody's own words; a very long speech is cut openly."""
    if not text.strip():
        return None
    more = len(text) - LONGEST_SPEECH
    rest = el("small", f" … {more:,} more characters in events.jsonl") if more > 0 else None
    return el("blockquote", text[:LONGEST_SPEECH], rest, dir="auto")


def _items(tier: Sequence[str]) -> Markup:
    shown: list[Child] = [foreign(item, LONGEST_NAME) for item in tier[:MOST_RANKED]]
    if len(tier) > MOST_RANKED:
        shown.append(f"{len(tier) - MOST_RANKED} more")
    return separated(shown, " = ")


def _text(event: Mapping[str, Any], key: str) -> str:
    value = event.get(key)
    return value if isinstance(value, str) else ""


def _names(value: object) -> list[str]:
    return [str(entry) for entry in value] if isinstance(value, list | tuple) else []


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _float(value: object) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


def _figure(value: object) -> str:
    known = _float(value)
    return "-" if math.isnan(known) else f"{known:.4g}"
