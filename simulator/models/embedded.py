"""The embedded model as an AutoGen client: a small language model inside this process, no network, no key."""

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Literal, Self

from autogen_core import CancellationToken, Component
from autogen_core.models import ChatCompletionClient, CreateResult, LLMMessage, ModelInfo, RequestUsage
from autogen_core.tools import Tool, ToolSchema
from pydantic import BaseModel

from simulator.models.base import Model
from simulator.models.engine import Engine, Server, available_cores, load_native, shared_engine
from simulator.models.messages import conversation, strict_schema
from simulator.models.spec import ModelSpec
from simulator.models.weights import find_weights

TIMEOUT = 120.0
MAX_TOKENS = 48
MAX_TOKENS_STRUCTURED = 512  # cut short it would not parse; the schema's bounds are what ends it
REPEAT_PENALTY = 1.1  # in free text alone: without it a small model goes round in circles, with it JSON comes out short
CONTEXT = 2048
WORKERS = 2
CHARACTERS_PER_TOKEN = 4


class EmbeddedConfig(BaseModel):
    """The parameters of the embedded model as an AutoGen component."""

    max_tokens: int = MAX_TOKENS
    context: int = CONTEXT
    workers: int | None = None


class EmbeddedClient(ChatCompletionClient, Component[EmbeddedConfig]):
    """SmolLM2-135M-Instruct, decoded greedily: the same prompt always gets the same answer.

    It writes free text and JSON by schema, says how likely it finds given phrases, and calls no tools.

    Args:
        max_tokens: The longest answer in free text.
        context: The longest prompt and answer together, in tokens.
        workers: Answers computed at once, one core and 170 MB each; the cores there are, at most two, if None.
    """

    component_type = "model"
    component_config_schema = EmbeddedConfig
    component_provider_override = "simulator.models.embedded.EmbeddedClient"

    def __init__(self, *, max_tokens: int = MAX_TOKENS, context: int = CONTEXT, workers: int | None = None) -> None:
        self._config = EmbeddedConfig(max_tokens=max_tokens, context=context, workers=workers)
        self._engine: Engine = shared_engine(
            find_weights(), workers=workers or min(WORKERS, available_cores()), context=context
        )
        self._scores: dict[tuple[str, tuple[str, ...]], Future[list[float]]] = {}
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
        """The model's answer.

        Raises:
            ValueError: Tools are offered or an image is shown, or the schema cannot be followed.
            EngineError: The prompt does not fit into the context.
        """
        body = self._request(messages, tools, json_output, extra_create_args)
        return await self._answer(body, cancellation_token, lambda _: None)

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
        """The model's answer piece by piece as it is written, then whole."""
        body = self._request(messages, tools, json_output, extra_create_args)
        loop, pieces = asyncio.get_running_loop(), asyncio.Queue[str | None]()
        answer = asyncio.ensure_future(self._answer(body, cancellation_token, lambda text: _post(loop, pieces, text)))
        answer.add_done_callback(lambda _: pieces.put_nowait(None))
        try:
            while (piece := await pieces.get()) is not None:
                yield piece
            yield await answer
        finally:
            answer.cancel()

    async def phrase_logprobs(self, system: str, user: str, opening: str, phrases: Sequence[str]) -> list[float]:
        """Log P(phrase | chat, opening) in nats, exact; asked once for the same prompt and phrases."""
        prompt = _chat_prompt(system, user, opening)
        key = (prompt, tuple(phrases))
        if key not in self._scores:
            continuations = [f" {_plain(phrase)}" for phrase in phrases]
            self._scores[key] = self._engine.submit(lambda server: server.continuation_logprobs(prompt, continuations))
        scores = self._scores[key]
        try:
            # Others may be waiting for the same numbers: whoever gives up must not cancel them.
            found: list[float] = await asyncio.shield(asyncio.wrap_future(scores))
        except Exception:
            self._scores.pop(key, None)
            raise
        return list(found)

    def actual_usage(self) -> RequestUsage:
        """Tokens read and written so far."""
        return RequestUsage(self._usage.prompt_tokens, self._usage.completion_tokens)

    def total_usage(self) -> RequestUsage:
        """Tokens read and written so far."""
        return self.actual_usage()

    def count_tokens(self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()) -> int:
        """An estimate: four characters a token."""
        return sum(len(turn["content"]) for turn in conversation(messages)) // CHARACTERS_PER_TOKEN

    def remaining_tokens(self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()) -> int:
        """An estimate of what the context leaves for the answer."""
        return self._config.context - self.count_tokens(messages, tools=tools)

    @property
    def model_info(self) -> ModelInfo:
        """Text and structured output."""
        return ModelInfo(
            vision=False,
            function_calling=False,
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
        """Nothing: the process keeps its engine until it ends, for the next client."""

    def _to_config(self) -> EmbeddedConfig:
        return self._config

    @classmethod
    def _from_config(cls, config: EmbeddedConfig) -> Self:
        return cls(max_tokens=config.max_tokens, context=config.context, workers=config.workers)

    def _request(
        self,
        messages: Sequence[LLMMessage],
        tools: Sequence[Tool | ToolSchema],
        json_output: bool | type[BaseModel] | None,
        extra: Mapping[str, Any],
    ) -> dict[str, Any]:
        if tools:
            raise ValueError("the embedded model calls no tools")
        turns = [{**turn, "content": _plain(turn["content"])} for turn in conversation(messages)]
        body: dict[str, Any] = {"messages": turns, "temperature": 0.0}
        if isinstance(json_output, type):
            body |= {"grammar": _grammar(strict_schema(json_output)), "max_tokens": MAX_TOKENS_STRUCTURED}
        elif json_output:
            body |= {"response_format": {"type": "json_object"}, "max_tokens": MAX_TOKENS_STRUCTURED}
        else:
            body |= {"repeat_penalty": REPEAT_PENALTY, "max_tokens": self._config.max_tokens}
        return body | dict(extra)

    async def _answer(
        self, body: dict[str, Any], token: CancellationToken | None, deliver: Callable[[str], None]
    ) -> CreateResult:
        given_up = threading.Event()
        waiting = asyncio.wrap_future(self._engine.submit(lambda server: _decode(server, body, given_up, deliver)))
        if token is not None:
            token.link_future(waiting)
        try:
            result = await waiting
        finally:
            given_up.set()  # the decoding stops at its next token instead of keeping a core busy
        self._usage.prompt_tokens += result.usage.prompt_tokens
        self._usage.completion_tokens += result.usage.completion_tokens
        return result


def create_embedded(spec: ModelSpec, *, seed: int) -> Model:
    """The embedded model that a specification names; greedy, so the seed does not matter.

    Raises:
        ModelUnavailable: Weights or engine are missing.
    """
    load_native()
    params = {key: value for key, value in spec.params.items() if key in EmbeddedConfig.model_fields}
    client = EmbeddedClient(**params)
    return Model(
        name=f"embedded:{find_weights().stem}",
        client=client,
        way=spec.params.get("way", "weigh"),
        timeout=float(spec.params.get("timeout", TIMEOUT)),
        calls_tools=False,
        scorer=client,
        settings={
            "temperature": 0.0,
            "repeat_penalty": REPEAT_PENALTY,
            "max_tokens": params.get("max_tokens", MAX_TOKENS),
        },
    )


def _decode(
    server: Server, body: dict[str, Any], given_up: threading.Event, deliver: Callable[[str], None]
) -> CreateResult:
    pieces: list[str] = []
    usage, reason = RequestUsage(prompt_tokens=0, completion_tokens=0), "unknown"

    def receive(chunk: dict[str, Any]) -> bool:
        nonlocal usage, reason
        for choice in chunk.get("choices", ()):
            text = choice["delta"].get("content")
            if text:
                pieces.append(text)
                deliver(text)
            reason = choice.get("finish_reason") or reason
        if chunk.get("usage"):
            usage = RequestUsage(chunk["usage"]["prompt_tokens"], chunk["usage"]["completion_tokens"])
        return given_up.is_set()

    if not given_up.is_set():
        server.chat(body, receive)
    finish: Literal["length", "stop"] = "length" if reason == "length" else "stop"
    return CreateResult(finish_reason=finish, content="".join(pieces), usage=usage, cached=False)


def _post(loop: asyncio.AbstractEventLoop, pieces: "asyncio.Queue[str | None]", text: str) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(pieces.put_nowait, text)


def _chat_prompt(system: str, user: str, opening: str) -> str:
    """ChatML, the form SmolLM2 was trained on."""
    turns = f"<|im_start|>system\n{_plain(system)}<|im_end|>\n<|im_start|>user\n{_plain(user)}<|im_end|>\n"
    return f"{turns}<|im_start|>assistant\n{_plain(opening)}"


def _plain(text: str) -> str:
    """The text without control tokens: a name in the data must not be able to end the turn that quotes it."""
    return text.replace("<|", "< |")


def _grammar(schema: Mapping[str, Any]) -> str:
    """JSON by schema without white space, which a small model would rather write than an answer."""
    return "%llguidance {}\nstart: %json " + json.dumps({**schema, "x-guidance": {"whitespace_flexible": False}})
