"""A model client that stands before another one: what it does not change, it passes on."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Literal

from autogen_core import CancellationToken
from autogen_core.models import ChatCompletionClient, CreateResult, LLMMessage, ModelInfo, RequestUsage
from autogen_core.tools import Tool, ToolSchema
from pydantic import BaseModel

from simulator.models.base import Model, PhraseScorer


class RelayClient(ChatCompletionClient):
    """An AutoGen client that passes every question on to a model.

    Args:
        model: The model that answers.
    """

    component_type = "model"

    def __init__(self, model: Model) -> None:
        self.model = model

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
        """The model's answer."""
        return await self.model.client.create(
            messages,
            tools=tools,
            tool_choice=tool_choice,
            json_output=json_output,
            extra_create_args=extra_create_args,
            cancellation_token=cancellation_token,
        )

    async def create_stream(
        self,
        messages: Sequence[LLMMessage],
        *,
        tools: Sequence[Tool | ToolSchema] = (),
        tool_choice: Tool | Literal["auto", "required", "none"] = "auto",
        json_output: bool | type[BaseModel] | None = None,
        extra_create_args: Mapping[str, Any] = {},
        cancellation_token: CancellationToken | None = None,
    ) -> AsyncGenerator[str | CreateResult, None]:
        """The whole answer as one piece: a run needs no halves of sentences."""
        yield await self.create(
            messages,
            tools=tools,
            tool_choice=tool_choice,
            json_output=json_output,
            extra_create_args=extra_create_args,
            cancellation_token=cancellation_token,
        )

    async def phrase_logprobs(self, system: str, user: str, opening: str, phrases: Sequence[str]) -> list[float]:
        """The model's phrase probabilities."""
        return await self.scorer.phrase_logprobs(system, user, opening, phrases)

    @property
    def scorer(self) -> PhraseScorer:
        """What gives the model's phrase probabilities.

        Raises:
            TypeError: It gives none.
        """
        if self.model.scorer is None:
            raise TypeError(f"{self.model.name} gives no phrase probabilities")
        return self.model.scorer

    def actual_usage(self) -> RequestUsage:
        """The model's own count."""
        return self.model.client.actual_usage()

    def total_usage(self) -> RequestUsage:
        """The model's own count."""
        return self.model.client.total_usage()

    def count_tokens(self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()) -> int:
        """The model's own count."""
        return self.model.client.count_tokens(messages, tools=tools)

    def remaining_tokens(self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()) -> int:
        """The model's own count."""
        return self.model.client.remaining_tokens(messages, tools=tools)

    @property
    def model_info(self) -> ModelInfo:
        """What the model can do."""
        return self.model.client.model_info

    @property
    def capabilities(self) -> ModelInfo:
        """AutoGen's deprecated name for `model_info`, still abstract."""
        return self.model_info

    async def close(self) -> None:
        """Close the model."""
        await self.model.close()
