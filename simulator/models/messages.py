"""AutoGen's messages, tools and schemas as the plain JSON that model servers speak."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from autogen_core.models import AssistantMessage, LLMMessage, SystemMessage, UserMessage
from autogen_core.tools import Tool, ToolSchema
from pydantic import BaseModel


def conversation(messages: Sequence[LLMMessage]) -> list[dict[str, str]]:
    """The messages as `role` and `content`; tool calls and results become text.

    Raises:
        ValueError: A message holds an image.
    """
    turns: list[dict[str, str]] = []
    for message in messages:
        match message:
            case SystemMessage():
                turns.append({"role": "system", "content": message.content})
            case UserMessage():
                parts = [message.content] if isinstance(message.content, str) else message.content
                texts = [part for part in parts if isinstance(part, str)]
                if len(texts) < len(parts):
                    raise ValueError("this model reads text only, and a message holds an image")
                turns.append({"role": "user", "content": "\n".join(texts)})
            case AssistantMessage(content=str() as text):
                turns.append({"role": "assistant", "content": text})
            case AssistantMessage(content=calls):
                asked = [
                    {"name": call.name, "arguments": call.arguments} for call in calls if not isinstance(call, str)
                ]
                turns.append({"role": "assistant", "content": json.dumps(asked, ensure_ascii=False)})
            case _:
                results = "\n".join(f"{result.name}: {result.content}" for result in message.content)
                turns.append({"role": "user", "content": results})
    return turns


def schema_of(json_output: bool | type[BaseModel] | None) -> dict[str, Any] | None:
    """The JSON schema of a structured answer; None for free text and for JSON of any form."""
    return json_output.model_json_schema() if isinstance(json_output, type) else None


def strict_schema(answer: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of an answer with every property required, no others allowed and no defaults.

    OpenAI's strict mode wants it so, and a small model that may add properties goes on adding them.
    """
    return dict(_strict(answer.model_json_schema()))


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    strict: dict[str, Any] = {}
    for key, value in node.items():
        if key in ("properties", "$defs"):  # names chosen by people, not keywords
            strict[key] = {name: _strict(inner) for name, inner in value.items()}
        elif key != "default":
            strict[key] = _strict(value)
    if "properties" in strict:
        strict |= {"required": list(strict["properties"]), "additionalProperties": False}
    return strict


def tool_schema(tool: Tool | ToolSchema) -> Mapping[str, Any]:
    """A tool's name, description and parameters."""
    return tool if isinstance(tool, dict) else tool.schema
