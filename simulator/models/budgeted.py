"""A model behind a token budget."""

import asyncio
import dataclasses
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar

from autogen_core import CancellationToken
from autogen_core.models import CreateResult, LLMMessage
from autogen_core.tools import Tool, ToolSchema
from pydantic import BaseModel

from simulator.models.base import Model
from simulator.models.budget import Budget
from simulator.models.messages import tool_schema
from simulator.models.relay import RelayClient

Reply = TypeVar("Reply")
CHARACTERS_PER_TOKEN = 4


class BudgetClient(RelayClient):
    """An AutoGen client that asks another one while tokens are left.

    Args:
        model: The model that answers.
        budget: What is left.
    """

    def __init__(self, model: Model, budget: Budget) -> None:
        super().__init__(model)
        self._budget = budget

    async def create(
        self,
        messages: Sequence[LLMMessage],
        *,
        tools: Sequence[Tool | ToolSchema] = (),
        tool_choice: Tool | Literal["auto", "required", "none"] = "auto",
        json_output: bool | type[BaseModel] | None = None,
        extra_create_args: Mapping[str, Any] = {},
        cancellation_token: CancellationToken | None = None,
    ) -> CreateResult:
        """The model's answer.

        Raises:
            BudgetSpent: No tokens are left for it.
        """
        offered = [json.dumps(tool_schema(tool)) for tool in tools]
        prompt = _tokens(*(str(message.content) for message in messages), *offered)

        def used(result: CreateResult) -> int:
            read, written = result.usage.prompt_tokens, result.usage.completion_tokens
            return _counted(read, prompt) + _counted(written, _tokens(str(result.content), result.thought or ""))

        return await self._within(
            prompt,
            lambda: super(BudgetClient, self).create(
                messages,
                tools=tools,
                tool_choice=tool_choice,
                json_output=json_output,
                extra_create_args=extra_create_args,
                cancellation_token=cancellation_token,
            ),
            used,
        )

    async def phrase_logprobs(self, system: str, user: str, opening: str, phrases: Sequence[str]) -> list[float]:
        """The model's phrase probabilities.

        Raises:
            BudgetSpent: No tokens are left for them.
        """
        scorer, prompt = self.scorer, _tokens(system, user, opening, *phrases)
        return await self._within(
            prompt, lambda: scorer.phrase_logprobs(system, user, opening, phrases), lambda _: prompt
        )

    async def _within(self, prompt: int, ask: Callable[[], Awaitable[Reply]], used: Callable[[Reply], int]) -> Reply:
        self._budget.reserve(prompt)
        spent = 0
        try:
            reply = await ask()
            spent = used(reply)
            return reply
        except asyncio.CancelledError:
            spent = prompt  # the model was at work
            raise
        finally:
            self._budget.settle(prompt, spent)


def before(model: Model, budget: Budget) -> Model:
    """See `simulator.models.budget.budgeted`."""
    client = BudgetClient(model, budget)
    return dataclasses.replace(model, client=client, scorer=client if model.scorer is not None else None)


def _tokens(*texts: str) -> int:
    return -(-sum(map(len, texts)) // CHARACTERS_PER_TOKEN)


def _counted(tokens: object, otherwise: int) -> int:
    """A server's count of tokens, if there is one."""
    return tokens if isinstance(tokens, int) and tokens > 0 else otherwise
