"""Asking a model many questions at once: each with its time limit, retries and counts, none of them twice."""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from simulator.keys import error_line
from simulator.llmfosa.personas.reading import Unusable, bounded, read_object, read_sentence
from simulator.llmfosa.personas.record import Answer, Record, digest
from simulator.models.purpose import purpose

if TYPE_CHECKING:
    from simulator.models.base import Model
    from simulator.models.metered import MeteredClient

T = TypeVar("T")
Progress = Callable[[str, int, int], None]

CHARACTERS_PER_TOKEN = 4
RETRIES = 1
AT_ONCE = 8
# Faults of the connection, not of the answer: the question stays open and the next run asks it again.
PASSING = frozenset({"timeouts", "errors"})


class Asker:
    """Asks one model; the answer to a question does not depend on what else is asked at the same time.

    Args:
        model: The model.
        record: What was answered before, and where answers go.
        at_once: How many questions are with the model at the same time.
        retries: How often a faulty reply is asked again, with the fault shown.
        progress: Is told the stage, how many of its answers are there, and how many it has.

    Attributes:
        answers: Every answer of this run by its key, recorded ones included.
        asked: How many of them were asked in this run.
        first_error: What the model or its server said when it failed for the first time in this run; "" if it did not.
    """

    def __init__(
        self,
        model: Model,
        record: Record,
        *,
        at_once: int = AT_ONCE,
        retries: int = RETRIES,
        progress: Progress = lambda stage, done, total: None,
    ) -> None:
        self._model = model
        self._record = record
        self._free = asyncio.Semaphore(at_once)
        self._retries = retries
        self._progress = progress
        self._stage, self._done, self._total = "", 0, 0
        self.answers: dict[str, Answer] = {}
        self.asked = 0
        self.first_error = ""

    def stage(self, name: str, total: int) -> None:
        """Begin a new stage of `total` answers, for the progress."""
        self._stage, self._done, self._total = name, 0, total
        self._progress(name, 0, total)

    async def scores(
        self, what_for: str, *, system: str, user: str, opening: str, phrases: Sequence[str]
    ) -> list[float] | None:
        """Log P(phrase | system, user, opening) in nats for every phrase; None if the model gave no finite numbers."""
        question = {"system": system, "user": user, "opening": opening, "phrases": list(phrases)}

        async def ask(client: MeteredClient, _: str) -> list[float]:
            found = await client.phrase_logprobs(system, user, opening, phrases)
            if not usable(found):
                raise Unusable("malformed", "no finite log probabilities")
            return [float(score) for score in found]

        def usable(found: Any) -> bool:
            numbers = isinstance(found, list) and all(isinstance(score, float | int) for score in found)
            return numbers and len(found) == len(phrases) and all(map(math.isfinite, found))

        answer = await self._answer(what_for, "scores", question, ask, usable)
        scores: list[float] | None = answer.value
        return scores

    async def structured(
        self,
        what_for: str,
        *,
        system: str,
        user: str,
        form: type[BaseModel],
        check: Callable[[Any], Any] = lambda answer: answer,
    ) -> Any | None:
        """An object of the given form; None if no reply had it.

        Args:
            what_for: The purpose, for the cache.
            system: Who the model is.
            user: What it is asked.
            form: What the answer looks like.
            check: Refuses a content by `Unusable`, which is told to the model.
        """
        schema = form.model_json_schema()
        if not self._model.client.model_info.get("structured_output"):
            user = f"{user}\nThe JSON Schema of the answer: {json.dumps(schema)}"
        question = {"system": system, "user": user, "schema": schema}

        async def ask(client: MeteredClient, words: str) -> Any:
            answer = read_object(await _reply(client, system, words), form)
            check(answer)
            return answer.model_dump(mode="json")

        def usable(found: Any) -> bool:
            try:
                check(form.model_validate(found))
            except (ValidationError, Unusable):
                return False
            return True

        answer = await self._answer(what_for, "structured", question, ask, usable, form)
        return None if answer.value is None else form.model_validate(answer.value)

    async def sentence(self, what_for: str, *, system: str, user: str, words: int) -> str:
        """One line of free text of at most `words` words; "" if no reply could be used."""
        question = {"system": system, "user": user, "words": words}

        async def ask(client: MeteredClient, told: str) -> str:
            return read_sentence(await _reply(client, system, told), words)

        def usable(found: Any) -> bool:
            return isinstance(found, str) and found == bounded(found, words)

        answer = await self._answer(what_for, "sentence", question, ask, usable)
        return answer.value or ""

    async def _answer(
        self,
        what_for: str,
        kind: str,
        question: Mapping[str, Any],
        ask: Callable[[MeteredClient, str], Awaitable[Any]],
        usable: Callable[[Any], bool],
        form: type[BaseModel] | None = None,
    ) -> Answer:
        identity = dict(self._model.identity) or {"name": self._model.name}
        decided_by = {"model": identity, "settings": dict(self._model.settings), "retries": self._retries}
        key = digest({**decided_by, "kind": kind, "purpose": what_for, "question": question})
        known = self._record[key]
        if known is None or (known.value is not None and not usable(known.value)):
            async with self._free:
                purpose.set(what_for)
                known = await self._ask(question["user"], ask, form)
            if kind == "scores":  # no model counts these: estimated, as the budget does
                letters = sum(map(len, (question["system"], question["user"], *question["phrases"])))
                known = replace(known, prompt_tokens=known.calls * -(-letters // CHARACTERS_PER_TOKEN))
            self.asked += 1
            if known.value is not None or not PASSING.intersection(known.faults):
                self._record.keep(key, known)
        self.answers[key] = known
        self._done += 1
        self._progress(self._stage, min(self._done, self._total), self._total)
        return known

    async def _ask(
        self, task: str, ask: Callable[[MeteredClient, str], Awaitable[Any]], form: type[BaseModel] | None
    ) -> Answer:
        from simulator.models.metered import Meter, MeteredClient

        meter, faults, began = Meter(), dict[str, int](), time.perf_counter()
        client = MeteredClient(
            self._model, meter, form if self._model.client.model_info.get("structured_output") else None
        )
        words, value = task, None
        for _ in range(self._retries + 1):
            try:
                value = await self._in_time(ask(client, words))
                break
            except Unusable as fault:
                faults[fault.fault] = faults.get(fault.fault, 0) + 1
                if fault.fault not in PASSING:  # a busy server must not change what is asked
                    words = f"{task}\nYour last answer cannot be used: {fault}."
        seconds = round(time.perf_counter() - began, 3)
        return Answer(value, faults, meter.calls, meter.prompt_tokens, meter.completion_tokens, seconds)

    async def _in_time(self, answer: Awaitable[T]) -> T:
        try:
            return await asyncio.wait_for(answer, self._model.timeout)
        except Unusable:
            raise
        except TimeoutError:
            raise Unusable("timeouts", f"no reply within {self._model.timeout:g} s") from None
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise  # the inference is being stopped
            raise Unusable("errors", "the model failed") from None
        except Exception as error:  # a failure of a model or its server is an abstention, never the end of the run
            self.first_error = self.first_error or error_line(error, self._model.secrets)
            raise Unusable("errors", "the model failed") from None


async def _reply(client: MeteredClient, system: str, task: str) -> str:
    from autogen_core.models import SystemMessage, UserMessage

    result = await client.create([SystemMessage(content=system), UserMessage(content=task, source="study")])
    return result.content if isinstance(result.content, str) else ""
