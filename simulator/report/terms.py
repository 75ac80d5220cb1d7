"""The scenario as it was run: who took part, what they want in words and in numbers, and by which rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from simulator.callsyntax import format_call
from simulator.report.figures import LONGEST_NAME, number
from simulator.report.markup import Child, Markup, el, foreign, join, separated
from simulator.report.reading import listed, mapping, names, real, text

if TYPE_CHECKING:
    from simulator.runs import Run

LONGEST_WORDS = 400


def terms(run: Run) -> Markup | None:
    """The section; nothing for a run whose scenario is not known."""
    if run.setting is None:
        return None
    keys = run.setting.keys
    described = text(keys, "description")
    return join([
        el("h2", "The scenario"),
        el("p", foreign(described, 1000), dir="auto") if described else None,
        _parties(keys),
        el("dl", (_term(name, said) for name, said in _rules(run, keys)), class_="terms"),
    ])  # fmt: skip


def _parties(keys: Mapping[str, Any]) -> Markup:
    """A line a stakeholder; the columns that say the same of everyone are left out."""
    parties = [mapping(party) for party in listed(keys.get("stakeholders"))]
    attributes = mapping(mapping(keys.get("catalogue")).get("attributes"))
    weighted = len({real(party.get("weight", 1.0)) for party in parties}) > 1
    valued = any(text(party, "value") for party in parties)
    titles = ["stakeholder", *(["value"] if valued else []), "goal in words", "objective in numbers", "agent"]
    head = el("tr", (el("th", title) for title in titles), el("th", "weight", class_="n") if weighted else None)
    lines = []
    for party in parties:
        persona = text(party, "persona")
        lines.append(
            el(
                "tr",
                el(
                    "th",
                    foreign(party.get("name", ""), LONGEST_NAME),
                    el("div", foreign(persona, LONGEST_WORDS), class_="facts") if persona else None,
                    scope="row",
                ),
                el("td", foreign(text(party, "value"), 120)) if valued else None,
                el("td", _goal(party), dir="auto"),
                el("td", _objective(party.get("objective"), attributes)),
                el("td", el("code", foreign(_call(party.get("agent")), 80))),
                el("td", number(real(party.get("weight", 1.0))), class_="n") if weighted else None,
            )
        )
    return el("div", el("table", el("thead", head), el("tbody", lines), class_="parties"), class_="wide")


def _goal(party: Mapping[str, Any]) -> Child:
    goal = text(party, "goal")
    if goal.strip() in ("{request.wish}", "{request.text}"):
        return "what the round's request asks for"
    return foreign(goal, LONGEST_WORDS) if goal else "-"


def _objective(objective: object, attributes: Mapping[str, Any]) -> Child:
    """The weights, heaviest first, in the words that the catalogue has for wanting much or little of an attribute."""
    if not isinstance(objective, Mapping):
        return "the request's wishes, the first of them heaviest"
    parts: list[Child] = []
    for name, weight in sorted(objective.items(), key=lambda entry: -abs(real(entry[1]))):
        wanted = real(weight)
        phrase = text(mapping(attributes.get(name)), "more" if wanted > 0 else "less")
        shown = phrase or str(name).replace("_", " ")
        parts.append(el("li", foreign(shown, 60), " ", el("small", foreign(name, 40), f" {number(wanted)}")))
    return el("ul", parts, class_="tight")


def _rules(run: Run, keys: Mapping[str, Any]) -> list[tuple[str, Child]]:
    catalogue = mapping(keys.get("catalogue"))
    candidates = mapping(catalogue.get("candidates"))
    items = run.setting.catalogue if run.setting is not None else None
    drawn = candidates.get("draw", "all")
    total = "" if items is None else f" of {len(items):,}"
    by = f" by {candidates['by']}" if candidates.get("by") else ""
    number = candidates.get("count")
    if drawn == "listed":
        many = f"{'the items' if number is None else f'{number} items'}{total} on the request's own list"
    else:
        many = "all items" if drawn == "all" else f"{number} items{total}, {drawn}{by}"
    dynamics = [_call(spec) for spec in listed(keys.get("dynamics"))]
    found: list[tuple[str, Child]] = [
        ("on the table", foreign(f"{many}; {keys.get('k', 1)} delivered", 200)),
        ("protocol", el("code", foreign(_call(keys.get("protocol")), 200))),
        ("mediator", el("code", foreign(_call(keys.get("mediator")), 200))),
        ("ties", foreign(str(keys.get("tie", "-")).replace("_", " "), 40)),
        ("who hears whom", _hearing(keys)),
        ("the world changes by", separated([el("code", foreign(call, 120)) for call in dynamics], ", ") or "nothing"),
    ]
    return found


def _hearing(keys: Mapping[str, Any]) -> Child:
    """Everyone hears everyone, or a line for each stakeholder."""
    from simulator.hearing import HearingError, hearing_graph, hears

    spec = keys.get("hearing", "complete")
    parties = [str(mapping(party).get("name")) for party in listed(keys.get("stakeholders"))]
    if spec == "complete" or not isinstance(spec, str | list):
        return "everyone hears everyone"
    try:
        heard = hears(hearing_graph(spec, parties))
    except (HearingError, TypeError):
        return foreign(spec, 200)
    lines = [
        el("li", foreign(name, 40), " hears ", _people([other for other in parties if other in heard[name]]))
        for name in parties
    ]
    shape = el("code", foreign(spec, 80)) if isinstance(spec, str) else None
    return [shape, el("ul", lines, class_="tight")]


def _people(people: Sequence[str]) -> Child:
    return separated([foreign(name, 40) for name in people], ", ") if people else "nobody"


def _call(spec: object) -> str:
    """A call as it is written everywhere: `name(key=value)`."""
    if isinstance(spec, Mapping) and isinstance(spec.get("name"), str):
        return format_call(spec["name"], {key: value for key, value in spec.items() if key != "name"})
    return ", ".join(names(spec)) if isinstance(spec, list) else str(spec if spec is not None else "-")


def _term(name: str, said: Child) -> Markup:
    return join([el("dt", name), el("dd", said)])
