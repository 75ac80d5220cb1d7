"""A model behind a response cache.

    key = SHA-256(which model, its settings, kind of question, purpose, the whole question)

The number of a reply counts what this client was told before under the same key: a question that is put again, because
its answer was of no use, is the next question and gets the next reply. Put again while it is still unanswered it is the
same question, and is asked once, also by other runs in this process. Phrase probabilities are measured, not drawn: they
have one reply. Errors, timeouts and what was given up are no replies.
"""

import asyncio
import copy
import dataclasses
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from autogen_core import CancellationToken
from autogen_core.models import CreateResult, LLMMessage, RequestUsage
from autogen_core.tools import Tool, ToolSchema
from pydantic import BaseModel, ValidationError

from simulator.keys import without_keys
from simulator.models.base import Model
from simulator.models.cache import ResponseCache, Stored
from simulator.models.purpose import purpose
from simulator.models.question import chat_question, digest, phrase_question
from simulator.models.relay import RelayClient

Reply = TypeVar("Reply")
_SHORTEST_SECRET = 4


@dataclass
class CacheUse:
    """What one run had from the cache.

    Attributes:
        hits: questions that the model was not asked.
        misses: questions that it answered.
        prompt_tokens, completion_tokens: what the hits would have cost.
    """

    hits: int = 0
    misses: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class CachedClient(RelayClient):
    """An AutoGen client that asks another one what the cache does not know.

    Args:
        model: The model that answers.
        cache: Where replies are.
        use: Counted up.
    """

    def __init__(self, model: Model, cache: ResponseCache, use: CacheUse) -> None:
        super().__init__(model)
        self._cache = cache
        self._use = use
        self._name = without_keys(model.name, model.secrets)
        identity = dict(model.identity) or {"name": model.name}
        self._model_digest = digest({"model": identity, "settings": dict(model.settings)}).hex()
        self._given: dict[bytes, int] = {}
        self._saved = RequestUsage(0, 0)

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
        """The model's answer, marked as `cached` if it was not asked for it."""
        key = self._key("create", chat_question(messages, tools, tool_choice, json_output, extra_create_args))
        number = self._given.get(key, 0) + 1
        result = await self._answer(
            key,
            number,
            lambda: super(CachedClient, self).create(
                messages,
                tools=tools,
                tool_choice=tool_choice,
                json_output=json_output,
                extra_create_args=extra_create_args,
                cancellation_token=cancellation_token,
            ),
            self._told,
            _result,
        )
        self._given[key] = max(number, self._given.get(key, 0))
        return result

    async def phrase_logprobs(self, system: str, user: str, opening: str, phrases: Sequence[str]) -> list[float]:
        """The model's phrase probabilities, to the last bit as it gave them."""
        scorer = self.scorer
        key = self._key("phrase_logprobs", phrase_question(system, user, opening, phrases))
        ask = lambda: scorer.phrase_logprobs(system, user, opening, phrases)  # noqa: E731
        return await self._answer(key, 1, ask, self._scored, _scores)

    def total_usage(self) -> RequestUsage:
        """The model's own count and what the cache spared it."""
        paid = self.model.client.total_usage()
        return RequestUsage(
            paid.prompt_tokens + self._saved.prompt_tokens, paid.completion_tokens + self._saved.completion_tokens
        )

    def _key(self, kind: str, question: Mapping[str, Any]) -> bytes:
        return digest({"model": self._model_digest, "kind": kind, "purpose": purpose.get(), "question": question})

    async def _answer(
        self,
        key: bytes,
        number: int,
        ask: Callable[[], Awaitable[Reply]],
        tell: Callable[[Reply], Stored | None],
        restore: Callable[[Stored], Reply | None],
    ) -> Reply:
        """The reply of this number; whoever comes first looks it up or asks, the others wait for that."""
        while True:
            flight, mine = self._cache.board(key, number)
            if mine:
                break
            try:
                told: tuple[Reply, Stored | None] = await asyncio.shield(asyncio.wrap_future(flight))
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if not flight.cancelled() or (task is not None and task.cancelling()):
                    raise
                continue  # whoever asked gave up or failed: now this one asks
            self._hit(key, number, told[1])
            return copy.deepcopy(told[0])
        try:
            await asyncio.sleep(0)  # as a model takes its time: who asks the same at this moment finds it being asked
            reply, stored = await self._found_or_asked(key, number, ask, tell, restore)
        except BaseException:
            self._cache.land(key, number)
            flight.cancel()
            raise
        self._cache.land(key, number)
        flight.set_result((copy.deepcopy(reply), stored))
        return reply

    async def _found_or_asked(
        self,
        key: bytes,
        number: int,
        ask: Callable[[], Awaitable[Reply]],
        tell: Callable[[Reply], Stored | None],
        restore: Callable[[Stored], Reply | None],
    ) -> tuple[Reply, Stored | None]:
        known = self._cache.get(key, number)
        found = None if known is None else restore(known)
        if found is not None:
            self._hit(key, number, known)
            return found, known
        reply = await ask()
        self._use.misses += 1
        told = tell(reply)
        if told is None or restore(told) is None:
            return reply, told
        kept = self._cache.put(key, number, told, instead=known is not None)
        if kept.reply != told.reply:  # another process was faster, and what is on file is what comes next time
            reply = restore(kept) or reply
        return reply, kept

    def _hit(self, key: bytes, number: int, stored: Stored | None) -> None:
        self._use.hits += 1
        if stored is None:
            return
        self._cache.used(key, number)
        self._use.prompt_tokens += stored.prompt_tokens
        self._use.completion_tokens += stored.completion_tokens
        self._saved.prompt_tokens += stored.prompt_tokens
        self._saved.completion_tokens += stored.completion_tokens

    def _told(self, result: CreateResult) -> Stored | None:
        """The reply as it is kept; None if it cannot or must not be, as where a server repeats the key it was sent."""
        usage = RequestUsage(_count(result.usage.prompt_tokens), _count(result.usage.completion_tokens))
        plain = result.model_copy(update={"usage": usage, "cached": False})
        try:
            text = plain.model_dump_json(warnings=False)
        except ValueError:  # of a client that builds its results unchecked
            return None
        if self._betrays(json.loads(text)):
            return None
        return Stored(self._name, purpose.get(), text, usage.prompt_tokens, usage.completion_tokens)

    def _scored(self, scores: list[float]) -> Stored:
        return Stored(self._name, purpose.get(), json.dumps([float(score) for score in scores]))

    def _betrays(self, value: Any) -> bool:
        """Whether one of the model's secrets stands anywhere in a reply."""
        if isinstance(value, str):
            return any(secret in value for secret in self.model.secrets if len(secret) >= _SHORTEST_SECRET)
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return any(map(self._betrays, inner))


def before(model: Model, cache: ResponseCache, use: CacheUse | None = None) -> Model:
    """See `simulator.models.cache.cached`."""
    client = CachedClient(model, cache, use or CacheUse())
    return dataclasses.replace(model, client=client, scorer=client if model.scorer is not None else None)


def _result(stored: Stored) -> CreateResult | None:
    try:
        return CreateResult.model_validate_json(stored.reply).model_copy(update={"cached": True})
    except ValidationError:
        return None


def _scores(stored: Stored) -> list[float] | None:
    try:
        scores = json.loads(stored.reply)
    except (ValueError, RecursionError):
        return None
    return scores if isinstance(scores, list) and all(isinstance(score, float) for score in scores) else None


def _count(tokens: object) -> int:
    """A server's count of tokens, whatever it wrote there."""
    return tokens if isinstance(tokens, int) and 0 <= tokens < 2**63 else 0
