"""A question to a person on the page: a ranking to drag into order, or an outcome to accept."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import solara

if TYPE_CHECKING:
    from agents.browser import Question
    from simulator.dashboard.drive import Drive

MOST_WORDS = 140
LONGEST_UNIT = 10


@solara.component_vue("question.vue")
def _Question(
    number: int,
    name: str,
    round: int,
    turn: int,
    request: str,
    k: int,
    ranks: bool,
    items: list[dict[str, Any]],
    slate: list[str],
    justification: str,
    heard: list[dict[str, str]],
    event_rank: Callable[[dict[str, Any]], None],
    event_accept: Callable[[dict[str, Any]], None],
) -> None:
    """The template's properties and events."""


def Ask(drive: Drive, question: Question, say: Callable[[str], None]) -> Any:
    """The question as an element; an answer that cannot be used is said to the page in one line."""
    items, people = question.items, drive.people

    def rank(answer: dict[str, Any]) -> None:
        try:
            tiers = [[items[int(place)] for place in tier] for tier in answer["tiers"]]
            people.rank(int(answer["number"]), tiers, str(answer.get("argument", "")))
        except (KeyError, IndexError, TypeError, ValueError) as error:
            say(f"the answer could not be used: {error}")

    def accept(answer: dict[str, Any]) -> None:
        people.accept(int(answer["number"]), bool(answer["verdict"]))

    return _Question(**_properties(question, drive.values(question)), event_rank=rank, event_accept=accept)


def _properties(question: Question, valued: tuple[str, ...]) -> dict[str, Any]:
    table = question.table
    tentative = table.tentative
    ranks = question.suggestion is not None
    tied = set()
    if question.suggestion is not None:
        tied = {item for tier in question.suggestion.tiers for item in tier[1:]}
    return {
        "number": question.number,
        "name": question.name,
        "round": table.round,
        "turn": table.turn,
        "request": table.request.text or table.request.wish,
        "k": table.k,
        "ranks": ranks,
        "items": [
            {"name": item, "words": _words(question, item, valued), "tied": item in tied} for item in question.items
        ]
        if ranks
        else [],
        "slate": [] if tentative is None else list(tentative.slate),
        "justification": table.justification,
        "heard": [{"name": name, "words": words} for name, words in table.arguments.items() if words],
    }


def _words(question: Question, item: str, valued: tuple[str, ...]) -> str:
    """What is known of an item's attributes that the person values, in a line: `air Great · distance 499 km`."""
    candidates = question.table.candidates
    column = candidates.index[item]
    parts = []
    for name in valued:
        row = candidates.attribute_index[name]
        attribute, value = candidates.attributes[row], candidates.values[row, column]
        if attribute.private:
            continue
        if math.isnan(value):
            shown = "unknown"
        elif attribute.labels:
            shown = attribute.labels[int(value)]
        else:
            shown = f"{value:.4g} {attribute.unit if len(attribute.unit) <= LONGEST_UNIT else ''}".rstrip()
        parts.append(f"{name.replace('_', ' ')} {shown}")
    words = " · ".join(parts)
    return words if len(words) <= MOST_WORDS else f"{words[: MOST_WORDS - 1]}…"
