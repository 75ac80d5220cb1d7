"""One round as lines for a terminal; every foreign text is made printable and cut."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from simulator.records import Event
from simulator.report.reading import figure, listed, mapping, names, real, text
from simulator.terminal import plain, printable

WIDTH = 100
LONGEST_SPEECH = 600
MOST_RANKED = 5
MOST_STEPS = 12
FIGURES = ("utility", "cumulative_utility", "kendall_tau", "alignment", "dry_spell", "accepted")
NOT_FIGURES = (
    "round",
    "request",
    "mediator",
    "turns",
    "agreed",
    "ending",
    "slate",
    "prompt_tokens",
    "completion_tokens",
)


def tell(
    title: str,
    number: int,
    row: Mapping[str, Any] | None,
    stakeholders: Sequence[Mapping[str, Any]],
    events: Sequence[Event],
) -> Iterator[str]:
    """The lines of a round: request, turns with ballots, outcome and answers, cautions, the world afterwards, figures.

    Args:
        title: the run's.
        number: the round.
        row: the line of rounds.csv; None for a round that was not finished.
        stakeholders: the lines of stakeholders.csv.
        events: of the round.
    """
    yield f"{plain(title)}, round {number}{'' if row is not None else ' (not finished)'}"
    for event in events:
        if event["event"] == "request":
            yield from _request(event)
    numbered = (event for event in events if isinstance(event.get("turn"), int))
    for turn, said in groupby(numbered, key=lambda event: event["turn"]):
        yield ""
        yield f"TURN {turn}"
        for event in said:
            yield from _SAID.get(event["event"], _nothing)(event)
    for event in events:
        yield from _ASIDE.get(event["event"], _nothing)(event)
    if row is not None:
        yield from _figures(row, stakeholders)


def _request(event: Event) -> Iterator[str]:
    yield from _speech(text(event, "text") or text(event, "wish"), "  ")
    if text(event, "wish") and text(event, "text"):
        yield from _wrapped(f"as a wish: {printable(event['wish'])[:LONGEST_SPEECH]}", "  ")
    filters = ", ".join(f"{plain(key)}: {plain(value)}" for key, value in mapping(event.get("filters")).items())
    if filters:
        yield from _wrapped(filters, "  ")
    candidates = [plain(item) for item in names(event.get("candidates"))]
    yield from _wrapped(f"{len(candidates)} candidates: {', '.join(candidates[:60])}", "  ")


def _proposal(event: Event) -> Iterator[str]:
    tiers = [names(tier) for tier in listed(event.get("ranking"))]
    utilities = mapping(event.get("utilities"))
    shown = []
    for tier in tiers[:MOST_RANKED]:
        worth = f" {figure(utilities[tier[0]])}" if tier and tier[0] in utilities else ""
        shown.append(" = ".join(plain(item) for item in tier[:MOST_RANKED]) + worth)
    below = sum(map(len, tiers[MOST_RANKED:]))
    ballot = " > ".join(shown) + (f" > {below} more" if below else "") if tiers else "abstains"
    yield from _wrapped(f"{plain(event.get('stakeholder', ''))}: {ballot}", "  ", "      ")
    yield from _speech(text(event, "argument"), "      ")
    weights = mapping(mapping(event.get("details")).get("weights"))
    if weights:
        heaviest = sorted(weights.items(), key=lambda entry: -abs(real(entry[1])))[:MOST_STEPS]
        yield from _wrapped("weighs " + ", ".join(f"{plain(name)} {figure(w)}" for name, w in heaviest), "      ")
    faults = mapping(event.get("faults"))
    if faults:
        yield from _wrapped(
            "faults: " + ", ".join(f"{plain(name)} {figure(n)}" for name, n in faults.items()), "      "
        )


def _response(event: Event) -> Iterator[str]:
    verdict = "accepts" if event.get("verdict") == "accept" else "asks to revise"
    yield f"  {plain(event.get('stakeholder', ''))} {verdict}"
    yield from _speech(text(event, "argument"), "      ")


def _outcome(event: Event) -> Iterator[str]:
    slate, scores, trace = names(event.get("slate")), mapping(event.get("scores")), mapping(event.get("trace"))
    items = ", ".join(f"{plain(item)}{f' {figure(scores[item])}' if item in scores else ''}" for item in slate)
    yield from _wrapped(f"OUTCOME by {plain(event.get('mediator', ''))}: {items}", "  ", "      ")
    yield from _wrapped(printable(text(event, "justification"))[:2000], "      ")
    for title, key in (("what each gave", "contributions"), ("what each ballot says", "values")):
        given = mapping(trace.get(key))
        if given and slate:
            total = (
                [["score", *(figure(scores.get(item)) for item in slate)]] if key == "contributions" and scores else []
            )
            lines = [[name, *(figure(mapping(values).get(item)) for item in slate)] for name, values in given.items()]
            yield from _table([title, *slate], [*lines, *total], "      ")
    if trace.get("weights"):
        yield from _wrapped("weights: " + _pairs(trace["weights"]), "      ")
    for name, values in mapping(trace.get("standing")).items():
        yield from _wrapped(f"{plain(name)}: {_pairs(values)}", "      ")
    steps = [mapping(step) for step in listed(trace.get("steps"))]
    for place, step in enumerate(steps[:MOST_STEPS], start=1):
        things = ", ".join(plain(item) for item in str(step.get("item", "")).split("|"))
        act = f" {plain(step['act'])}" if step.get("act") else ""
        yield from _wrapped(
            f"{place}. {things}{act} {figure(step.get('value'))} {plain(step.get('note', ''))}".rstrip(), "      "
        )
    if len(steps) > MOST_STEPS:
        yield f"      and {len(steps) - MOST_STEPS} steps more; --json has them all"


def _warning(event: Event) -> Iterator[str]:
    yield ""
    yield from _wrapped(f"warning: {printable(text(event, 'message'))[:LONGEST_SPEECH]}", "")


def _manipulation(event: Event) -> Iterator[str]:
    yield ""
    name, how = plain(event.get("stakeholder", "")), plain(event.get("misreport") or "none")
    yield from _wrapped(f"strategic ballot of {name} ({how}); beside honesty: {_pairs(event.get('gains'))}", "")


def _evolve(event: Event) -> Iterator[str]:
    for name, values in mapping(event.get("arrays")).items():
        yield ""
        yield from _wrapped(f"afterwards, {plain(name.replace('_', ' '))}: {_pairs(values)}", "")


def _nothing(event: Event) -> Iterator[str]:
    return iter(())


_SAID = {"proposal": _proposal, "response": _response, "outcome": _outcome}
_ASIDE = {"warning": _warning, "manipulation": _manipulation, "evolve": _evolve}


def _figures(row: Mapping[str, Any], stakeholders: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    shown = [column for column in FIGURES if any(column in line for line in stakeholders)]
    yield ""
    lines = [[line.get("stakeholder", ""), *(_cell(line.get(column)) for column in shown)] for line in stakeholders]
    yield from _table(["stakeholder", *shown], lines, "")
    yield ""
    ended = f"{plain(row.get('ending', '-'))} after {plain(row.get('turns', '-'))} turns"
    known = [f"{plain(name)} {_cell(value)}" for name, value in row.items() if name not in NOT_FIGURES]
    yield from _wrapped(", ".join([ended, *known]), "")


def _table(head: Sequence[object], lines: Sequence[Sequence[object]], indent: str) -> Iterator[str]:
    cells = [[plain(cell)[:24] for cell in line] for line in (head, *lines)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(head))]
    for line in cells:
        first = line[0].ljust(widths[0])
        rest = (cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))
        yield indent + "  ".join([first, *rest]).rstrip()


def _pairs(values: object) -> str:
    return ", ".join(f"{plain(name)} {figure(value)}" for name, value in list(mapping(values).items())[:24])


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return figure(value)


def _speech(said: str, indent: str) -> Iterator[str]:
    """Somebody's own words in quotes; a very long speech is cut openly."""
    shown = " ".join(said.split())
    if shown:
        more = f" ... {len(shown) - LONGEST_SPEECH:,} more characters" if len(shown) > LONGEST_SPEECH else ""
        yield from _wrapped(f'"{printable(shown[:LONGEST_SPEECH])}"{more}', indent)


def _wrapped(words: str, indent: str, more: str | None = None) -> Iterator[str]:
    return iter(
        textwrap.wrap(words, WIDTH, initial_indent=indent, subsequent_indent=indent if more is None else more)
    )  # fmt: skip
