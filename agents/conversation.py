"""One stakeholder's talk with its model: ask, check, ask again with the error shown, and count everything."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from agents.wording import declines, fault_of_sentence, spoken, whole_sentences
from simulator.keys import error_line
from simulator.models.structured import first_object
from simulator.profile import Proposal
from simulator.table import Response, Table

if TYPE_CHECKING:
    from autogen_agentchat.agents import AssistantAgent
    from autogen_agentchat.base import TaskResult

    from simulator.models.base import Model, PhraseScorer
    from simulator.scenario import Party

T = TypeVar("T")
Said = TypeVar("Said", Proposal, Response)
Answer = TypeVar("Answer", bound=BaseModel)

LONGEST_SENTENCE = 280
_THOUGHTS = re.compile(r"<think>.*?</think>", re.DOTALL)
MOST_TOOL_ROUNDS = 3


class Unanswered(Exception):
    """The model gave no usable reply, however often it was asked."""


class _Faulty(Exception):
    """One faulty reply: the kind of fault ("" if it was counted already) and what the model is told about it."""

    def __init__(self, fault: str, message: str) -> None:
        self.fault = fault
        super().__init__(message)


class Conversation:
    """Asks one stakeholder's model in one turn of one round.

    Args:
        llm: the model.
        party: the stakeholder.
        system: who it is and what it wants.
        table: what is on the table; its tools read it.
        retries: how often a faulty reply is asked again.
    """

    def __init__(self, llm: Model, party: Party, system: str, table: Table, retries: int) -> None:
        self._llm = llm
        self._party = party
        self._system = system
        self._table = table
        self._retries = retries
        from simulator.models.metered import Meter

        self._counts: dict[str, int] = {}
        self._exchanges: list[dict[str, Any]] = []
        self._meter = Meter()

    def count(self, kind: str, times: int = 1) -> None:
        """Count a fault or a repair."""
        self._counts[kind] = self._counts.get(kind, 0) + times

    def sign(self, said: Said) -> Said:
        """The proposal or response with this conversation's faults, tokens and exchanges."""
        details = {**said.details, "system": self._system, "exchanges": self._exchanges}
        return replace(
            said,
            details=details,
            faults=dict(self._counts),
            prompt_tokens=self._meter.prompt_tokens,
            completion_tokens=self._meter.completion_tokens,
            calls=self._meter.calls,
        )

    async def sentence(self, task: str) -> str:
        """A short free text.

        Raises:
            Unanswered: nothing but faulty replies.
        """
        agent = self._agent(None)

        async def ask(words: str) -> str:
            text = await self._reply(agent, words)
            wrong = fault_of_sentence(text)
            if wrong is not None:
                raise _Faulty("malformed", wrong)
            return spoken(whole_sentences(text), LONGEST_SENTENCE)

        return await self._repeat(task, ask)

    async def structured(
        self, task: str, schema: type[Answer], faults_of: Callable[[Answer], Mapping[str, int]] | None = None
    ) -> Answer:
        """An answer of a given form; `faults_of` finds faults in its content that are worth asking again.

        After the last retry an answer with faulty content is returned all the same, for its usable part.

        Raises:
            Unanswered: nothing but replies without that form.
        """
        agent = self._agent(schema)
        usable: list[Answer] = []
        if not self._llm.client.model_info.get("structured_output"):
            task = f"{task}\nAnswer with one JSON object of this JSON Schema: {json.dumps(schema.model_json_schema())}"

        async def ask(words: str) -> Answer:
            answer = _parsed(await self._reply(agent, words), schema)
            found = faults_of(answer) if faults_of is not None else {}
            for fault, times in found.items():
                self.count(fault, times)
            if found:
                usable.append(answer)
                told = ", ".join(f"{times} {fault.replace('_', ' ')}" for fault, times in found.items())
                raise _Faulty("", f"your ranking has {told}; every candidate must stand in it exactly once")
            return answer

        try:
            return await self._repeat(task, ask)
        except Unanswered:
            if usable:
                return usable[-1]
            raise

    async def scored(self, ask: Callable[[PhraseScorer], Awaitable[T]]) -> T:
        """What can be read off the model's phrase probabilities, under the same timeout, retries and counts.

        Raises:
            Unanswered: it failed or did not answer in time, every time.
        """
        from simulator.models.metered import MeteredClient

        scorer = MeteredClient(self._llm, self._meter)

        async def once(_: str) -> T:
            return await self._timed(ask(scorer), "phrase probabilities")

        return await self._repeat("", once)

    async def _repeat(self, task: str, ask: Callable[[str], Awaitable[T]]) -> T:
        words = task
        for attempt in range(self._retries + 1):
            if attempt:
                self.count("retries")
            try:
                return await ask(words)
            except _Faulty as fault:
                if fault.fault:
                    self.count(fault.fault)
                words = f"That answer cannot be used: {fault}. {task}"
        raise Unanswered

    async def _reply(self, agent: AssistantAgent, words: str) -> str:
        from autogen_core import CancellationToken

        token = CancellationToken()
        try:
            result = await self._timed(agent.run(task=words, cancellation_token=token), words)
        finally:
            token.cancel()
        content = result.messages[-1].content if result.messages else ""  # type: ignore[union-attr]  # chat messages have it
        text = content.model_dump_json() if isinstance(content, BaseModel) else str(content)
        self._exchanges.append({"prompt": words, **_tool_uses(result), "reply": text})
        if not text.strip():
            raise _Faulty("empty", "it is empty")
        if declines(text):
            raise _Faulty("refusals", "it declines; you speak for a stakeholder and may have a preference")
        return text

    async def _timed(self, answer: Awaitable[T], words: str) -> T:
        try:
            return await asyncio.wait_for(answer, self._llm.timeout)
        except TimeoutError:
            told = f"no reply within {self._llm.timeout:g} s"
            self._exchanges.append({"prompt": words, "error": told})
            raise _Faulty("timeouts", told) from None
        except ValidationError as error:  # clients that parse structured answers themselves
            told = f"it does not have the form that was asked for ({_first(error)})"
            self._exchanges.append({"prompt": words, "error": told})
            raise _Faulty("malformed", told) from None
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise  # the run is being stopped
            self._exchanges.append({"prompt": words, "error": "the client cancelled its own call"})
            raise _Faulty("errors", "the model failed") from None
        except Exception as error:  # any failure of a model or its server is an event of the run, never its end
            self._exchanges.append({"prompt": words, "error": error_line(error, self._llm.secrets)})
            raise _Faulty("errors", "the model failed") from None

    def _agent(self, schema: type[BaseModel] | None) -> AssistantAgent:
        from autogen_agentchat.agents import AssistantAgent

        from agents.tools import make_tools
        from simulator.models.metered import MeteredClient

        structured = schema is not None and bool(self._llm.client.model_info.get("structured_output"))
        tools = make_tools(self._party.tools, self._table) if self._llm.calls_tools else []
        return AssistantAgent(
            name=re.sub(r"\W", "_", f"s_{self._party.name}", flags=re.ASCII),
            model_client=MeteredClient(self._llm, self._meter, schema if structured else None),
            system_message=self._system,
            tools=[*tools] or None,
            reflect_on_tool_use=bool(tools),
            max_tool_iterations=MOST_TOOL_ROUNDS,
        )


def _parsed(text: str, schema: type[Answer]) -> Answer:
    """The first JSON object of the wanted form in a reply, whatever thoughts, fences or words stand around it."""
    said = _THOUGHTS.sub("", text)
    found, wrong = first_object(said, schema)
    if found is not None:
        return found
    if wrong is None:
        raise _Faulty("malformed", "it is not the JSON object that was asked for")
    raise _Faulty("malformed", f"it does not have the form that was asked for ({_first(wrong)})")


def _first(error: ValidationError) -> str:
    detail = error.errors()[0]
    where = ".".join(str(part) for part in detail["loc"])
    return f"{where}: {detail['msg']}" if where else detail["msg"]


def _tool_uses(result: TaskResult) -> dict[str, Any]:
    """The tools that were called on the way to a reply, with what they answered; nothing if none were."""
    from autogen_agentchat.messages import ToolCallExecutionEvent, ToolCallRequestEvent

    asked = {
        call.id: call.arguments
        for message in result.messages
        if isinstance(message, ToolCallRequestEvent)
        for call in message.content
    }
    uses = [
        {"name": done.name, "arguments": asked.get(done.call_id, ""), "result": done.content}
        for message in result.messages
        if isinstance(message, ToolCallExecutionEvent)
        for done in message.content
    ]
    return {"tools": uses} if uses else {}
