"""A model that says what a test tells it to, and remembers what it was asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autogen_core import FunctionCall
from autogen_core.models import CreateResult, LLMMessage, ModelInfo, RequestUsage

from simulator import NegotiationWorld, load_scenario
from simulator.faults import FAULTS, REPAIRS
from simulator.models import Model
from simulator.models.fake import FakeClient
from simulator.models.messages import schema_of
from simulator.runs.lines import event_line

WORLDS = Path(__file__).parents[1] / "worlds"
NEVER = object()
Reply = str | Exception | FunctionCall | object


class ScriptedClient(FakeClient):
    """Gives its replies in turn, the last one for ever; 10 tokens read and 3 written each.

    Attributes:
        prompts: all texts of every question, system message first.
        forms: the JSON schema of every question's answer, None for free text.
        offered: the tools' schemas of every question.
        given_up: how many questions were cancelled while they waited.
    """

    def __init__(self, *replies: Reply, structured: bool = True) -> None:
        super().__init__()
        self._replies = list(replies)
        self._structured = structured
        self.prompts: list[list[str]] = []
        self.forms: list[Mapping[str, Any] | None] = []
        self.offered: list[list[Any]] = []
        self.given_up = 0

    @property
    def model_info(self) -> ModelInfo:
        return ModelInfo(**{**super().model_info, "structured_output": self._structured})

    async def create(self, messages: Sequence[LLMMessage], **given: Any) -> CreateResult:
        self.prompts.append([str(message.content) for message in messages])
        self.forms.append(schema_of(given.get("json_output")))
        self.offered.append([tool if isinstance(tool, dict) else tool.schema for tool in given.get("tools", ())])
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if reply is NEVER:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.given_up += 1
                raise
        if isinstance(reply, BaseException):
            raise reply
        content = [reply] if isinstance(reply, FunctionCall) else str(reply)
        usage = RequestUsage(prompt_tokens=10, completion_tokens=3)
        reason = "function_calls" if isinstance(reply, FunctionCall) else "stop"
        return CreateResult(finish_reason=reason, content=content, usage=usage, cached=False)


def ballot(*ranking: str, argument: str = "Because it is mine.", **more: Any) -> str:
    """A ranking as structured output."""
    return json.dumps({"ranking": list(ranking), "argument": argument, **more})


def host_world(client: ScriptedClient, *settings: str, timeout: float = 5.0, tools: bool = False) -> NegotiationWorld:
    """The talkers' world with the client as the model of its host; the guest follows its objective."""
    scenario = load_scenario(
        WORLDS / "talkers", ["stakeholders.0.agent=utility", "stakeholders.0.tools=[]", "protocol=sealed", *settings]
    )
    world = NegotiationWorld(scenario)
    way = scenario.parties[1].way or "listwise"
    world.stakeholders[1].llm = Model("scripted", client, way, timeout, calls_tools=tools)
    return world


def counts(world: NegotiationWorld) -> dict[str, int]:
    """What was counted for the host in the last round, zeros left out."""
    assert world.last is not None
    line = world.last.stakeholder_rows[1]
    return {name: line[name] for name in (*FAULTS, *REPAIRS) if line[name]}


def said(world: NegotiationWorld, kind: str = "proposal") -> dict[str, Any]:
    """The host's last event of a kind in the last round."""
    assert world.last is not None
    spoken = [e for e in world.last.events if e["event"] == kind and e.get("stakeholder") == "host"]
    logged: dict[str, Any] = json.loads(event_line(spoken[-1]))
    return logged
