"""Asking a person at the terminal; a script may answer through standard input."""

from __future__ import annotations

import asyncio
import sys
import threading

from simulator.faults import clean_items
from simulator.inputs.nearest import nearest
from simulator.profile import Ranking
from simulator.table import Candidates, Table
from simulator.terminal import plain, printable

MOST_ATTEMPTS = 3
LONGEST_ARGUMENT = 400
YES, NO = ("y", "yes", "accept"), ("n", "no", "revise")


class Unreadable(ValueError):
    """An answer that cannot be used; the message says what would be right."""


class TerminalChannel:
    """Prints questions to standard error and reads answers from standard input, one person at a time."""

    def __init__(self) -> None:
        self._turn: asyncio.Lock | None = None

    async def ranking(self, name: str, table: Table, suggestion: Ranking) -> tuple[Ranking, str] | None:
        """A ranking and an argument; an empty line takes the suggestion, the end of input gives none."""
        async with self._lock():
            _show(_the_table(name, table, suggestion))
            for _ in range(MOST_ATTEMPTS):
                line = await _line(f"{plain(name)}, your ranking, best first (Enter: as suggested): ")
                if line is None:
                    return None
                try:
                    ranking = read_ranking(line, table.candidates) if line.strip() else suggestion
                except Unreadable as wrong:
                    _show(str(wrong))
                    continue
                argument = await _line("Why, in a sentence (Enter: nothing): ")
                return ranking, printable((argument or "").strip())[:LONGEST_ARGUMENT]
            _show("Three answers could not be read; no ranking is taken.")
            return None

    async def verdict(self, name: str, table: Table) -> bool | None:
        """Yes or no to the tentative outcome; None at the end of input."""
        assert table.tentative is not None
        async with self._lock():
            _show(_the_outcome(name, table))
            for _ in range(MOST_ATTEMPTS):
                line = await _line(f"{plain(name)}, do you accept? [y/n] ")
                if line is None:
                    return None
                word = line.strip().casefold()
                if word in (*YES, *NO):
                    return word in YES
                _show("Answer y or n.")
            return None

    def _lock(self) -> asyncio.Lock:
        if self._turn is None:  # made on the loop that asks
            self._turn = asyncio.Lock()
        return self._turn


def read_ranking(line: str, candidates: Candidates) -> Ranking:
    """A ranking from a line such as `3, 1 = 4, Rome`: numbers or names, `=` between items that tie.

    Raises:
        Unreadable: an unknown name or number, or an item twice; nothing is guessed.
    """
    tiers = []
    seen: set[str] = set()
    for part in line.split(","):
        tier = [_item(word.strip(), candidates) for word in part.split("=")]
        for item in tier:
            if item in seen:
                raise Unreadable(f"{plain(item)} stands there twice.")
            seen.add(item)
        tiers.append(tuple(tier))
    return Ranking(tuple(tiers))


def _item(word: str, candidates: Candidates) -> str:
    known, _ = clean_items([word], candidates.index)
    if known:
        return known[0]
    if word.isdecimal() and word.isascii() and 1 <= int(word) <= len(candidates.ids):
        return candidates.ids[int(word) - 1]
    hint = nearest(word, list(candidates.ids))
    raise Unreadable(f"'{plain(word)}' is no candidate and no number from 1 to {len(candidates.ids)}{hint}.")


def _the_table(name: str, table: Table, suggestion: Ranking) -> str:
    candidates = table.candidates
    lines = [f"--- round {table.round}, turn {table.turn}: {plain(name)} ---"]
    lines += [printable(words) for words in (table.request.text or table.request.wish,) if words]
    lines += [f"{table.k} of these {len(candidates.ids)} will be delivered:"]
    lines += [
        f"{place:3d} {plain(item)}: {printable(candidates.describe(item))}"
        for place, item in enumerate(candidates.ids, start=1)
    ]
    shown = ", ".join(" = ".join(str(candidates.index[item] + 1) for item in tier) for tier in suggestion.tiers)
    return "\n".join([*lines, f"suggested: {shown}"])


def _the_outcome(name: str, table: Table) -> str:
    assert table.tentative is not None
    lines = [f"--- round {table.round}, turn {table.turn}: {plain(name)} ---"]
    lines += [f"{plain(other)} says: {printable(words)}" for other, words in table.arguments.items() if words]
    lines += [f"on the table: {', '.join(map(plain, table.tentative.slate))}", printable(table.justification)]
    return "\n".join(filter(None, lines))


def _show(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


async def _line(prompt: str) -> str | None:
    """One line of standard input, read in a thread that does not keep the program alive; None at its end."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[str | None] = loop.create_future()
    print(prompt, end="", file=sys.stderr, flush=True)

    def deliver(line: str | None) -> None:
        if not answer.done():  # the run may have been stopped meanwhile
            answer.set_result(line)

    def read() -> None:
        try:
            line = sys.stdin.readline()
        except (OSError, ValueError):  # closed, or no text
            line = ""
        loop.call_soon_threadsafe(deliver, line.removesuffix("\n") if line else None)

    threading.Thread(target=read, daemon=True).start()
    return await answer
