"""A model named fake: deterministic answers to everything, without a network, and faults to order."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Literal, Self

from autogen_core import CancellationToken, Component, FunctionCall
from autogen_core.models import (
    ChatCompletionClient,
    CreateResult,
    FunctionExecutionResultMessage,
    LLMMessage,
    ModelInfo,
    RequestUsage,
)
from autogen_core.tools import Tool, ToolSchema
from pydantic import BaseModel

from simulator.models.base import Model
from simulator.models.fake_answers import answer_schema, draw, mention, sentence
from simulator.models.fake_faults import REPLIES, spoil
from simulator.models.messages import conversation, schema_of, tool_schema
from simulator.models.spec import ModelSpec

RANKING_FAULTS = ("unknown_item", "duplicate", "omit")
TIMEOUT = 30.0
NATS_PER_WORD = 4.0


class FakeConfig(BaseModel):
    """The parameters of a fake as an AutoGen component."""

    seed: int = 0
    fault: str = "none"
    delay: float = 0.0


class FakeClient(ChatCompletionClient, Component[FakeConfig]):
    """An AutoGen client whose every answer is a function of the seed and the messages.

    It answers free text with a sentence, a schema with a valid instance, and the first offer of tools with one call.
    Importance follows what the prompt says: earlier phrases count more, phrases after "do not care about" least.

    Args:
        seed: Distinguishes runs.
        fault: How every answer goes wrong; one of `simulator.models.spec.FAULTS`.
        delay: Seconds before every answer.
    """

    component_type = "model"
    component_config_schema = FakeConfig
    component_provider_override = "simulator.models.fake.FakeClient"

    def __init__(self, *, seed: int = 0, fault: str = "none", delay: float = 0.0) -> None:
        self._config = FakeConfig(seed=seed, fault=fault, delay=delay)
        self._usage = RequestUsage(prompt_tokens=0, completion_tokens=0)

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
        """The answer after the delay, spoiled by the fault if there is one."""
        waiting = asyncio.ensure_future(self._wait())
        if cancellation_token is not None:
            cancellation_token.link_future(waiting)
        await waiting
        if self._config.fault == "error":
            raise ConnectionError("the fake model was told to fail")
        prompt = "\n".join(turn["content"] for turn in conversation(messages))
        offered = [] if tool_choice == "none" or _has_tool_result(messages) else [tool_schema(tool) for tool in tools]
        content: str | list[FunctionCall]
        if self._config.fault in REPLIES:
            content = REPLIES[self._config.fault]
        elif offered:
            content = [self._call(offered[0], prompt)]
        else:
            content = self._write(prompt, json_output)
        usage = RequestUsage(
            prompt_tokens=len(prompt.split()),
            completion_tokens=len((content if isinstance(content, str) else content[0].arguments).split()),
        )
        self._usage.prompt_tokens += usage.prompt_tokens
        self._usage.completion_tokens += usage.completion_tokens
        reason: Literal["stop", "function_calls"] = "stop" if isinstance(content, str) else "function_calls"
        return CreateResult(finish_reason=reason, content=content, usage=usage, cached=False)

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
        """The same answer in chunks that end in a space, then whole."""
        result = await self.create(
            messages,
            tools=tools,
            tool_choice=tool_choice,
            json_output=json_output,
            extra_create_args=extra_create_args,
            cancellation_token=cancellation_token,
        )
        if isinstance(result.content, str):
            for chunk in result.content.split(" "):
                yield f"{chunk} "
        yield result

    async def phrase_logprobs(self, system: str, user: str, opening: str, phrases: Sequence[str]) -> list[float]:
        """Log probabilities that fall with every word and with the phrase's place in the prompt."""
        liked = -1.0 if "not care" in opening else 1.0
        return [
            liked * mention(f"{system}\n{user}", phrase) - NATS_PER_WORD * len(phrase.split()) - 1.0
            for phrase in phrases
        ]

    def actual_usage(self) -> RequestUsage:
        """Words read and written so far."""
        return RequestUsage(self._usage.prompt_tokens, self._usage.completion_tokens)

    def total_usage(self) -> RequestUsage:
        """Words read and written so far."""
        return self.actual_usage()

    def count_tokens(self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()) -> int:
        """The number of words."""
        return sum(len(turn["content"].split()) for turn in conversation(messages))

    def remaining_tokens(self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()) -> int:
        """What a context of 100,000 words leaves."""
        return 100_000 - self.count_tokens(messages, tools=tools)

    @property
    def model_info(self) -> ModelInfo:
        """Everything but images."""
        return ModelInfo(
            vision=False,
            function_calling=True,
            json_output=True,
            family="unknown",
            structured_output=True,
            multiple_system_messages=True,
        )

    @property
    def capabilities(self) -> ModelInfo:
        """AutoGen's deprecated name for `model_info`, still abstract."""
        return self.model_info

    async def close(self) -> None:
        """Nothing to close."""

    def _to_config(self) -> FakeConfig:
        return self._config

    @classmethod
    def _from_config(cls, config: FakeConfig) -> Self:
        return cls(seed=config.seed, fault=config.fault, delay=config.delay)

    async def _wait(self) -> None:
        if self._config.fault == "never":
            await asyncio.Event().wait()
        await asyncio.sleep(self._config.delay)

    def _call(self, tool: Mapping[str, Any], prompt: str) -> FunctionCall:
        arguments = answer_schema(tool.get("parameters", {}), prompt, self._config.seed)
        identity = f"call_{draw(self._config.seed, prompt, tool['name']) % 10**9:09d}"
        return FunctionCall(id=identity, name=tool["name"], arguments=json.dumps(arguments))

    def _write(self, prompt: str, json_output: bool | type[BaseModel] | None) -> str:
        schema = schema_of(json_output)
        if schema is None:
            text = sentence(prompt, self._config.seed)
            return json.dumps({"answer": text}) if json_output else text
        answer = answer_schema(schema, prompt, self._config.seed)
        return json.dumps(spoil(answer, schema, self._config.fault), ensure_ascii=False)


def create_fake(spec: ModelSpec, *, seed: int) -> Model:
    """The fake that a specification names; a fault of rankings makes it write rankings by default."""
    fault, delay = spec.params.get("fault", "none"), float(spec.params.get("delay", 0.0))
    client = FakeClient(seed=seed, fault=fault, delay=delay)
    return Model(
        name=str(spec),
        client=client,
        way=spec.params.get("way", "listwise" if fault in RANKING_FAULTS else "weigh"),
        timeout=float(spec.params.get("timeout", TIMEOUT)),
        calls_tools=True,
        scorer=client,
        settings={"seed": seed},
        identity={"fake": fault},
    )


def _has_tool_result(messages: Sequence[LLMMessage]) -> bool:
    return any(isinstance(message, FunctionExecutionResultMessage) for message in messages)
