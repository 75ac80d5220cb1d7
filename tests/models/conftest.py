import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import pytest
from autogen_core.models import LLMMessage, SystemMessage, UserMessage

T = TypeVar("T")


@pytest.fixture
def run() -> Callable[[Coroutine[Any, Any, T]], T]:
    """Runs a coroutine to its end, with a limit that only a hang exceeds."""

    def finish(work: Coroutine[Any, Any, T]) -> T:
        async def limited() -> T:
            return await asyncio.wait_for(work, 120)

        return asyncio.run(limited())

    return finish


@pytest.fixture
def chat() -> Callable[..., list[LLMMessage]]:
    """A system message and a question."""

    def messages(question: str, system: str = "You are a traveller choosing a city.") -> list[LLMMessage]:
        return [SystemMessage(content=system), UserMessage(content=question, source="world")]

    return messages
