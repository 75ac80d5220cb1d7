"""A question to a model as plain JSON: what a journal shows of it and what a cache compares."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Literal
from weakref import WeakKeyDictionary

import orjson
from autogen_core.models import LLMMessage
from autogen_core.tools import Tool, ToolSchema
from pydantic import BaseModel

from simulator.models.messages import schema_of, tool_schema

# Writing a schema takes pydantic milliseconds, and a form is asked for again in every retry and by every relay.
_schemas: "WeakKeyDictionary[type[BaseModel], dict[str, Any]]" = WeakKeyDictionary()


def chat_question(
    messages: Sequence[LLMMessage],
    tools: Sequence[Tool | ToolSchema],
    tool_choice: Tool | Literal["auto", "required", "none"],
    json_output: bool | type[BaseModel] | None,
    extra_create_args: Mapping[str, Any],
) -> dict[str, Any]:
    """What `create` is asked: the whole prompt and everything that decides the form of the answer."""
    return {
        "messages": [message.model_dump(mode="json") for message in messages],
        "tools": [dict(tool_schema(tool)) for tool in tools],
        "tool_choice": tool_choice if isinstance(tool_choice, str) else tool_choice.name,
        "schema": _schema(json_output) or bool(json_output),
        "params": dict(extra_create_args),
    }


def phrase_question(system: str, user: str, opening: str, phrases: Sequence[str]) -> dict[str, Any]:
    """What `phrase_logprobs` is asked."""
    return {"system": system, "user": user, "opening": opening, "phrases": list(phrases)}


def digest(question: Mapping[str, Any]) -> bytes:
    """SHA-256 of a question, whatever the order of its keys.

    Raises:
        TypeError: It holds what JSON cannot.
    """
    try:
        text = orjson.dumps(question, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:  # lone surrogates and numbers beyond 64 bits, which Python's own encoder can write
        import json

        text = json.dumps(question, sort_keys=True).encode("ascii")
    return hashlib.sha256(text).digest()


def _schema(json_output: bool | type[BaseModel] | None) -> dict[str, Any] | None:
    if not isinstance(json_output, type):
        return None
    if json_output not in _schemas:
        _schemas[json_output] = schema_of(json_output) or {}
    return _schemas[json_output]
