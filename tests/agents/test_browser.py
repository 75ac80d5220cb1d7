"""The channel between a person on a page and the world's loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from agents.browser import BrowserChannel, Question
from simulator.profile import Ranking
from simulator.requests import Request
from simulator.rounds import loop
from simulator.table import Candidates, Table

TABLE = Table(1, 1, Request("r"), Candidates(("a", "b", "c"), (), np.empty((0, 3)), np.empty((0, 3))), 1)


def answered(answer: Callable[[BrowserChannel, Question], Any], verdict: bool = False) -> Any:
    """What the world's loop hears when a person answers as given."""
    asked = threading.Event()
    channel = BrowserChannel(asked.set)
    question = channel.verdict("ann", TABLE) if verdict else channel.ranking("ann", TABLE, Ranking((("b",), ("a",))))
    future = asyncio.run_coroutine_threadsafe(question, loop._started())
    assert asked.wait(10)
    answer(channel, channel.questions[0])
    heard = future.result(10)
    assert channel.questions == ()
    return heard


def test_a_ranking_arrives_with_its_ties_and_its_argument() -> None:
    heard = answered(lambda channel, asked: channel.rank(asked.number, [["c"], ["a", "b"]], " I\nlike c "))
    assert heard == (Ranking((("c",), ("a", "b"))), "I like c")


def test_the_suggestion_stands_first_and_what_it_leaves_out_last() -> None:
    def look(channel: BrowserChannel, asked: Question) -> None:
        assert asked.items == ("b", "a", "c")
        channel.close()

    assert answered(look) is None


def test_a_verdict_arrives() -> None:
    assert answered(lambda channel, asked: channel.accept(asked.number, False), verdict=True) is False


@pytest.mark.parametrize("tiers", [[["a"], ["a"]], [["d"]]])
def test_a_ranking_of_something_else_is_refused_and_the_question_stays(tiers: list[list[str]]) -> None:
    def answer(channel: BrowserChannel, asked: Question) -> None:
        with pytest.raises(ValueError, match="candidates alone"):
            channel.rank(asked.number, tiers)
        channel.accept(asked.number, True)  # the wrong kind of answer
        channel.rank(asked.number + 1, [["a"]])  # nobody's question
        assert channel.questions == (asked,)
        channel.rank(asked.number, [["a"]])

    assert answered(answer) == (Ranking((("a",),)), "")


def test_a_closed_channel_asks_nobody() -> None:
    channel = BrowserChannel()
    channel.close()
    assert loop.run(channel.verdict("ann", TABLE)) is None


def test_a_question_whose_asker_has_lost_patience_is_gone() -> None:
    channel = BrowserChannel()

    async def impatient() -> None:
        await asyncio.wait_for(channel.verdict("ann", TABLE), 0.05)

    with pytest.raises(TimeoutError):
        loop.run(impatient())
    assert channel.questions == ()
