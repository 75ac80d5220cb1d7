"""The journal of a run: every model reply on disk as it arrives.

One JSON object a line:

    key       SHA-256 of what decided the reply: model, settings, kind, prompt, form of the answer; the n-th line with
              a key is the n-th reply to that question, whatever else was asked meanwhile
    purpose   what the reply is for, from the context variable `purpose`
    kind      "create" or "phrase_logprobs"
    prompt    what was asked
    reply     the text; tool calls and log probabilities as JSON text; null if none came
    finish    why the text ended, as AutoGen names it, or the name of the error that came instead
    thought   a reasoning model's thoughts, null if none
    usage     tokens read and written

Neither times nor keys to any server are in it.
"""

import dataclasses
import hashlib
import json
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

from autogen_core import CancellationToken
from autogen_core.models import CreateResult, LLMMessage
from autogen_core.tools import Tool, ToolSchema
from pydantic import BaseModel

from simulator.models.base import Model
from simulator.models.purpose import purpose
from simulator.models.question import chat_question, phrase_question
from simulator.models.relay import RelayClient

Reply = TypeVar("Reply")


class Journal:
    """A JSONL file that grows by one flushed line per reply; safe to share between threads."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8", errors="backslashreplace")  # a lone surrogate as its JSON escape
        self._lock = threading.Lock()

    def append(self, entry: Mapping[str, Any]) -> None:
        """Write one line and hand it to the operating system."""
        line = json.dumps(entry, ensure_ascii=False)
        with self._lock:
            self._file.write(f"{line}\n")
            self._file.flush()

    def close(self) -> None:
        """Close the file; idempotent."""
        self._file.close()


class JournalClient(RelayClient):
    """An AutoGen client that asks another one and journals its replies.

    Args:
        model: The model that answers.
        journal: Where the replies go; it belongs to whoever opened it.
    """

    def __init__(self, model: Model, journal: Journal) -> None:
        super().__init__(model)
        self._journal = journal

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
        """The model's answer, journaled."""
        question = chat_question(messages, tools, tool_choice, json_output, extra_create_args)
        return await self._journaled(
            "create",
            question,
            lambda: super(JournalClient, self).create(
                messages,
                tools=tools,
                tool_choice=tool_choice,
                json_output=json_output,
                extra_create_args=extra_create_args,
                cancellation_token=cancellation_token,
            ),
            _told,
        )

    async def phrase_logprobs(self, system: str, user: str, opening: str, phrases: Sequence[str]) -> list[float]:
        """The model's phrase probabilities, journaled."""
        scorer = self.scorer
        question = phrase_question(system, user, opening, phrases)
        return await self._journaled(
            "phrase_logprobs",
            question,
            lambda: scorer.phrase_logprobs(system, user, opening, phrases),
            lambda scores: {"reply": json.dumps(scores), "finish": "stop", "thought": None, "usage": None},
        )

    async def _journaled(
        self,
        kind: str,
        question: Mapping[str, Any],
        ask: Callable[[], Awaitable[Reply]],
        tell: Callable[[Reply], dict[str, Any]],
    ) -> Reply:
        decided_by = {"model": self.model.name, "settings": dict(self.model.settings), "kind": kind, **question}
        entry = {"key": _digest(decided_by), "purpose": purpose.get(), "kind": kind, "prompt": question}
        try:
            reply = await ask()
        except BaseException as error:  # a cancelled question, too, must not be mistaken for one never asked
            nothing = {"reply": None, "finish": type(error).__name__, "thought": None, "usage": None}
            self._journal.append(entry | nothing)
            raise
        self._journal.append(entry | tell(reply))
        return reply


def journaled(model: Model, journal: Journal) -> Model:
    """The same model with every reply journaled, phrase probabilities included."""
    client = JournalClient(model, journal)
    return dataclasses.replace(model, client=client, scorer=client if model.scorer is not None else None)


def _told(result: CreateResult) -> dict[str, Any]:
    content = result.content
    calls = [] if isinstance(content, str) else [dataclasses.asdict(call) for call in content]
    return {
        "reply": content if isinstance(content, str) else json.dumps(calls, ensure_ascii=False),
        "finish": result.finish_reason,
        "thought": result.thought,
        "usage": dataclasses.asdict(result.usage),
    }


def _digest(question: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(question, sort_keys=True, ensure_ascii=True).encode("ascii")).hexdigest()
