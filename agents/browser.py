"""Asking a person on a page: questions wait here until the page answers them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from simulator.profile import Ranking
from simulator.table import Table

LONGEST_ARGUMENT = 400


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked.

    Attributes:
        number: its own among the channel's questions.
        name: the stakeholder.
        table: what it sees.
        suggestion: the ranking that stands there at first; None where it is asked for a verdict.
    """

    number: int
    name: str
    table: Table
    suggestion: Ranking | None

    @property
    def items(self) -> tuple[str, ...]:
        """The candidates in the order of the suggestion, those that it leaves out last."""
        ranked = () if self.suggestion is None else tuple(item for tier in self.suggestion.tiers for item in tier)
        known = set(ranked)
        return (*ranked, *(item for item in self.table.candidates.ids if item not in known))


class BrowserChannel:
    """The channel of the people of one world: answers come from any thread, questions from the world's loop.

    Args:
        changed: is called when the open questions have changed, from any thread; must not wait.
    """

    def __init__(self, changed: Callable[[], None] = lambda: None) -> None:
        self._changed = changed
        self._lock = threading.Lock()
        self._numbers = count(1)
        self._open: dict[int, tuple[Question, asyncio.AbstractEventLoop, asyncio.Future[Any]]] = {}
        self._closed = False

    @property
    def questions(self) -> tuple[Question, ...]:
        """The open questions, oldest first."""
        with self._lock:
            return tuple(question for question, _, _ in self._open.values())

    async def ranking(self, name: str, table: Table, suggestion: Ranking) -> tuple[Ranking, str] | None:
        """A ranking and an argument; None if the page is closed."""
        answer: tuple[Ranking, str] | None = await self._ask(name, table, suggestion)
        return answer

    async def verdict(self, name: str, table: Table) -> bool | None:
        """Whether the person accepts the tentative outcome; None if the page is closed."""
        answer: bool | None = await self._ask(name, table, None)
        return answer

    def rank(self, number: int, tiers: Sequence[Sequence[str]], argument: str = "") -> None:
        """Answer a question with a ranking, best first; one that nobody waits for any more is let go.

        Raises:
            ValueError: the ranking holds something that is no candidate, or an item twice.
        """
        question = self._question(number)
        if question is None or question.suggestion is None:
            return
        items = [item for tier in tiers for item in tier]
        known = question.table.candidates.index
        if len(set(items)) < len(items) or any(item not in known for item in items):
            raise ValueError("a ranking holds candidates alone, each of them once")
        said = "".join(letter if letter.isprintable() else " " for letter in argument)[:LONGEST_ARGUMENT].strip()
        self._settle(number, (Ranking(tuple(tuple(tier) for tier in tiers if tier)), said))

    def accept(self, number: int, verdict: bool) -> None:
        """Answer a question with a verdict; one that nobody waits for any more is let go."""
        question = self._question(number)
        if question is not None and question.suggestion is None:
            self._settle(number, verdict)

    def close(self) -> None:
        """Leave every question without an answer, from now on."""
        with self._lock:
            self._closed = True
            numbers = list(self._open)
        for number in numbers:
            self._settle(number, None)

    def _question(self, number: int) -> Question | None:
        with self._lock:
            found = self._open.get(number)
        return None if found is None else found[0]

    async def _ask(self, name: str, table: Table, suggestion: Ranking | None) -> Any:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()
        with self._lock:
            if self._closed:
                return None
            number = next(self._numbers)
            self._open[number] = Question(number, name, table, suggestion), loop, answer
        self._changed()
        try:
            return await answer
        finally:  # also when its patience has ended
            with self._lock:
                gone = self._open.pop(number, None)
            if gone is not None:
                self._changed()

    def _settle(self, number: int, value: Any) -> None:
        with self._lock:
            found = self._open.pop(number, None)
        if found is None:
            return
        _, loop, answer = found
        loop.call_soon_threadsafe(lambda: None if answer.done() else answer.set_result(value))
        self._changed()
