"""Tools for models that can call them: a look-up in the round's candidates, and a search in a knowledge file."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulator.table import Table

if TYPE_CHECKING:
    from autogen_core.tools import FunctionTool

MOST_PASSAGES = 3


def make_tools(calls: Sequence[tuple[str, Mapping[str, Any]]], table: Table) -> list[FunctionTool]:
    """AutoGen function tools for a scenario's tool calls, bound to what is on the table."""
    if not calls:
        return []
    from autogen_core.tools import FunctionTool

    made = []
    for name, params in calls:
        if name == "catalogue":
            make, description = _catalogue(table), "Look up the attributes of one candidate."
        else:
            make, description = _knowledge(Path(params["file"])), "Search the background notes of this scenario."
        made.append(FunctionTool(make, name=name, description=description))
    return made


def _catalogue(table: Table) -> Callable[[str], str]:
    def catalogue(item: str) -> str:
        return look_up(item, table)

    return catalogue


def _knowledge(path: Path) -> Callable[[str], str]:
    def knowledge(question: str) -> str:
        return search_passages(question, path.read_text(encoding="utf-8"))

    return knowledge


def look_up(item: str, table: Table) -> str:
    """An item's attributes in words; for an unknown item, what the candidates are."""
    folded = {name.casefold(): name for name in table.candidates.ids}
    known = folded.get(item.strip().casefold())
    if known is None:
        return f"{item[:80]!r} is not among the candidates: {', '.join(table.candidates.ids)}"
    return f"{known}: {table.candidates.describe(known)}"


def search_passages(question: str, text: str) -> str:
    """The paragraphs of a text that share most words with a question, best first; ties in the text's order."""
    wanted = set(re.findall(r"\w+", question.casefold()))
    passages = [" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip()]
    shared = [len(wanted & set(re.findall(r"\w+", passage.casefold()))) for passage in passages]
    best = sorted(range(len(passages)), key=lambda place: -shared[place])[:MOST_PASSAGES]
    found = [passages[place] for place in best if shared[place]]
    return "\n\n".join(found) if found else "The notes say nothing about this."
