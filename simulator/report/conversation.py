"""One round as it was negotiated: the request, every ballot and argument, the outcome and how it was reckoned."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from simulator.records import Event
from simulator.report.arithmetic import outcome
from simulator.report.figures import LONGEST_NAME, number
from simulator.report.markup import Child, Markup, el, foreign, join, separated
from simulator.report.reading import figure, listed, mapping, names, real, text

LONGEST_SPEECH = 1000
MOST_RANKED = 5
MOST_LISTED = 12
MOST_TURNS = 8


def conversation(events: Sequence[Event]) -> Markup:
    """The events of one round for people; the whole of them stands in events.jsonl."""
    asked = [event for event in events if event["event"] == "request"]
    items = names(asked[0].get("candidates")) if asked else []
    parts: list[Child] = [_request(event) for event in asked]
    numbered = (event for event in events if isinstance(event.get("turn"), int))
    turns = [(turn, list(said)) for turn, said in groupby(numbered, key=lambda event: event["turn"])]
    left_out = turns[MOST_TURNS // 2 : -MOST_TURNS // 2] if len(turns) > MOST_TURNS + 1 else []
    for turn, said in turns:
        if left_out and turn == left_out[0][0]:
            between = f"Turns {turn} to {left_out[-1][0]} went on in the same way; they are in events.jsonl."
            parts.append(el("p", between, class_="facts"))
        if (turn, said) not in left_out:
            parts += [el("h4", f"Turn {turn}"), _turn(said, items)]
    parts += [_aside(event) for event in events if event["event"] in ("manipulation", "warning")]
    parts += [_evolve(event) for event in events if event["event"] == "evolve"]
    return join(parts)


def _request(event: Event) -> Markup:
    asked = text(event, "text") or text(event, "wish")
    facts: list[Child] = []
    if text(event, "wish") and text(event, "text"):
        facts.append(["as a wish: ", foreign(event["wish"], LONGEST_SPEECH)])
    for key, value in list(mapping(event.get("filters")).items())[:MOST_LISTED]:
        facts.append([foreign(key, 40), ": ", foreign(value, 120)])
    unspoken = names(event.get("unspoken"))
    if unspoken:
        facts.append(["no attribute speaks of: ", foreign(", ".join(unspoken), 300)])
    facts.append(f"{len(names(event.get('candidates')))} candidates")
    return join([_speech(asked), el("p", separated(facts), class_="facts")])


def _turn(events: Sequence[Event], items: Sequence[str]) -> Markup:
    """A card for each stakeholder, with its answer to the outcome, then the outcome."""
    speakers = dict.fromkeys(str(event["stakeholder"]) for event in events if "stakeholder" in event)
    cards = []
    for name in speakers:
        own = [event for event in events if event.get("stakeholder") == name]
        proposals = [event for event in own if event["event"] == "proposal"]
        response = next((event for event in own if event["event"] == "response"), None)
        cards.append(_card(name, proposals, response))
    outcomes = [outcome(event, items) for event in events if event["event"] == "outcome"]
    return join([el("div", cards, class_="cards"), outcomes])


def _card(name: str, proposals: Sequence[Event], response: Event | None) -> Markup:
    """What one stakeholder said in a turn; whoever opens and offers in the same one has two ballots."""
    parts: list[Child] = [el("h5", foreign(name, LONGEST_NAME))]
    if not proposals:
        parts.append(el("p", "Keeps its ballot.", class_="facts"))
    for place, proposal in enumerate(proposals):
        if place:
            parts.append(el("p", "Then offers:", class_="facts"))
        parts += [_speech(text(proposal, "argument")), _ballot(proposal), _details(proposal)]
    if response is not None:
        accepts = response.get("verdict") == "accept"
        answer = el("span", "accepts" if accepts else "asks to revise", class_="yes" if accepts else "no")
        parts += [el("p", "On the outcome: ", answer), _speech(text(response, "argument")), _advice(response)]
    return el("div", parts, class_="card")


def _ballot(event: Event) -> Markup:
    tiers = [names(tier) for tier in listed(event.get("ranking"))]
    if not tiers:
        return el("p", "Abstains.", class_="facts")
    utilities = mapping(event.get("utilities"))
    lines = [
        el("li", _items(tier), el("small", f" {number(real(utilities[tier[0]]))}") if tier[0] in utilities else None)
        for tier in tiers[:MOST_RANKED]
    ]
    below = sum(map(len, tiers[MOST_RANKED:]))
    return join([el("ol", lines), el("p", f"and {below} below", class_="facts") if below else None])


def _details(event: Event) -> Markup | None:
    facts: list[Child] = []
    details = mapping(event.get("details"))
    weights = mapping(details.get("weights"))
    if weights:
        shown = sorted(weights.items(), key=lambda entry: -abs(real(entry[1])))[:MOST_LISTED]
        facts.append(["weighs ", separated([[foreign(name, 40), f" {number(real(w))}"] for name, w in shown], ", ")])
    elif details.get("way"):
        facts.append(["way: ", foreign(details["way"], 40)])
    said = ("misreport", "advice", "error")
    facts += [[f"{key}: ", foreign(details[key], 200)] for key in said if text(details, key)]
    counted = mapping(event.get("faults")).items()
    facts += [[foreign(fault.replace("_", " "), 40), f": {real(times):.0f}"] for fault, times in counted]
    return el("p", separated(facts), class_="facts") if facts else None


def _advice(event: Event) -> Markup | None:
    advice = text(mapping(event.get("details")), "advice")
    return el("p", "advice: ", foreign(advice, 200), class_="facts") if advice else None


def _aside(event: Event) -> Markup:
    """What the round showed about a strategic stakeholder, or what calls for caution."""
    if event["event"] == "warning":
        return el("p", el("strong", "Caution: "), foreign(text(event, "message"), 500))
    gains = [
        [foreign(name, 40), f" {number(real(gain), 3)}"] for name, gain in mapping(event.get("gains")).items()
    ]  # fmt: skip
    return el(
        "p",
        el("strong", foreign(event.get("stakeholder", ""), LONGEST_NAME)),
        " opened with a strategic ballot",
        [" (", foreign(text(event, "misreport"), 120), ")"] if text(event, "misreport") else None,
        "; beside honesty, everyone's utility changed by: ",
        separated(gains[:MOST_LISTED], ", "),
    )


def _evolve(event: Event) -> Markup | None:
    arrays = mapping(event.get("arrays"))
    facts: list[Child] = [f"month {event['month']}"] if isinstance(event.get("month"), int) else []
    for name, values in arrays.items():
        each = [[foreign(item, 40), f" {figure(value)}"] for item, value in list(mapping(values).items())[:MOST_LISTED]]
        facts.append([foreign(name.replace("_", " "), 40), ": ", separated(each, ", ")])
    return el("p", "Afterwards: ", separated(facts), class_="facts") if facts else None


def _speech(said: str) -> Markup | None:
    """Somebody's own words; a very long speech is cut openly."""
    if not said.strip():
        return None
    more = len(said) - LONGEST_SPEECH
    rest = el("small", f" … {more:,} more characters in events.jsonl") if more > 0 else None
    return el("blockquote", said[:LONGEST_SPEECH], rest, dir="auto")


def _items(tier: Sequence[str]) -> Markup:
    shown: list[Child] = [foreign(item, LONGEST_NAME) for item in tier[:MOST_RANKED]]
    if len(tier) > MOST_RANKED:
        shown.append(f"{len(tier) - MOST_RANKED} more")
    return separated(shown, " = ")
