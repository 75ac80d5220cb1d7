"""A model that counts what it is asked, and never gives the same answer twice."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from autogen_core.models import CreateResult, RequestUsage

from simulator.models.base import Model
from simulator.models.create import create_model
from simulator.models.relay import RelayClient

SCORES = [-0.1 - 0.2, 5e-324, -0.0, -1e308, float("-inf")]


class CountingClient(RelayClient):
    """Answers with its name and how often it was asked; `answers` may say it otherwise."""

    def __init__(self, name: str, delay: float, answers: Callable[[int], CreateResult] | None) -> None:
        fake = create_model("fake", seed=1)
        assert fake is not None
        super().__init__(fake)
        self.asked = 0
        self._name, self._delay, self._answers = name, delay, answers

    async def create(self, *messages: Any, **options: Any) -> CreateResult:
        self.asked += 1
        number = self.asked
        await asyncio.sleep(self._delay)
        if self._answers is not None:
            return self._answers(number)
        return answer(f"{self._name} {number}")

    async def phrase_logprobs(self, system: str, user: str, opening: str, phrases: Sequence[str]) -> list[float]:
        self.asked += 1
        await asyncio.sleep(self._delay)
        return SCORES[: len(phrases)]


def answer(content: Any, **options: Any) -> CreateResult:
    terms: dict[str, Any] = {"finish_reason": "stop", "usage": RequestUsage(30, 7), "cached": False}
    return CreateResult(content=content, **(terms | options))


def counting(
    name: str = "counting",
    *,
    delay: float = 0.0,
    answers: Callable[[int], CreateResult] | None = None,
    **changes: Any,
) -> tuple[Model, CountingClient]:
    """A model and its client, whose `asked` counts."""
    client = CountingClient(name, delay, answers)
    fake = client.model
    return dataclasses.replace(fake, name=name, client=client, scorer=client, identity={}, **changes), client
