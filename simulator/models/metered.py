"""A model as one conversation with it goes: every answer in the wanted form, every call and token counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from autogen_core import CancellationToken
from autogen_core.models import CreateResult, LLMMessage
from autogen_core.tools import Tool, ToolSchema
from pydantic import BaseModel

from simulator.models.base import Model
from simulator.models.relay import RelayClient


@dataclass
class Meter:
    """What was asked so far; a call that fails or is given up counts as a call, its tokens are unknown."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class MeteredClient(RelayClient):
    """Passes questions on, asks for answers of one form, and counts.

    The form is asked for here and not by AutoGen's AssistantAgent, which parses a structured answer before anyone sees
    it: a faulty one would raise, and its words and tokens would be lost to the log and to the retry.

    Args:
        model: The model.
        meter: What is counted up.
        form: The form of its answers; None for free text.
    """

    def __init__(self, model: Model, meter: Meter, form: type[BaseModel] | None = None) -> None:
        super().__init__(model)
        self._meter = meter
        self._form = form

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
        """The model's answer, counted."""
        self._meter.calls += 1
        result = await super().create(
            messages,
            tools=tools,
            tool_choice=tool_choice,
            json_output=self._form or json_output,
            extra_create_args=extra_create_args,
            cancellation_token=cancellation_token,
        )
        self._meter.prompt_tokens += _count(result.usage.prompt_tokens)
        self._meter.completion_tokens += _count(result.usage.completion_tokens)
        return result

    async def phrase_logprobs(self, system: str, user: str, opening: str, phrases: Sequence[str]) -> list[float]:
        """The model's phrase probabilities, counted as a call; servers report no tokens for them."""
        self._meter.calls += 1
        return await super().phrase_logprobs(system, user, opening, phrases)


def _count(tokens: object) -> int:
    """A server's count of tokens, whatever it wrote there: what is no whole number of at least 0 is unknown."""
    return tokens if isinstance(tokens, int) and tokens >= 0 else 0
