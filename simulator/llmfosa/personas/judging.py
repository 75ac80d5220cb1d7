"""Labels from larger models: a judgement with confidence and rationale as strictly parsed JSON."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field, create_model

from simulator.llmfosa.annotations import Persona
from simulator.llmfosa.personas.prompts import Subject, judge_task, persona_system
from simulator.llmfosa.personas.reading import LETTERS_PER_WORD, Unusable, bounded

if TYPE_CHECKING:
    from simulator.llmfosa.personas.asking import Asker


@dataclass(frozen=True, slots=True)
class Judgement:
    """One annotator's answer about one user.

    Attributes:
        label: The code of a value; -1 if it abstained.
        confidence: In [0, 1]; NaN if it abstained.
        rationale: Its reason; "" if it abstained.
    """

    label: int
    confidence: float
    rationale: str


ABSTAINED = Judgement(-1, float("nan"), "")


async def judge(
    asker: Asker,
    personas: Sequence[Persona],
    subject: Subject,
    histories: Sequence[Sequence[str]],
    what_for: Sequence[str],
    words: int,
) -> list[list[Judgement]]:
    """Ask every persona about every user; `(n, P)` judgements.

    Args:
        asker: Asks the model.
        personas: The P annotators.
        subject: What is judged.
        histories: For each of n users the quoted titles.
        what_for: For each user the purpose of its questions, for the cache.
        words: The most words of a rationale; longer ones are cut.
    """
    form = judgement_form(subject, words)

    async def one(persona: Persona, titles: Sequence[str], purpose: str) -> Judgement:
        answer: Any = await asker.structured(
            f"{purpose}/{persona.name}/judgement",
            system=persona_system(persona),
            user=judge_task(titles, subject, words),
            form=form,
            check=lambda said: code_of(said.label, subject),
        )
        if answer is None:
            return ABSTAINED
        return Judgement(code_of(answer.label, subject), round(answer.confidence, 6), bounded(answer.rationale, words))

    async with asyncio.TaskGroup() as group:
        tasks = [
            [group.create_task(one(persona, titles, purpose)) for persona in personas]
            for titles, purpose in zip(histories, what_for, strict=True)
        ]
    return [[task.result() for task in row] for row in tasks]


def judgement_form(subject: Subject, words: int) -> type[BaseModel]:
    """What is sent names the values and bounds the text; what comes back is checked by `code_of` and cut."""
    return create_model(
        "Judgement",
        label=(str, Field(json_schema_extra={"enum": list(subject.values)})),
        confidence=(float, Field(ge=0, le=1, allow_inf_nan=False)),
        rationale=(str, Field(json_schema_extra={"maxLength": LETTERS_PER_WORD * words})),
    )


def code_of(label: str, subject: Subject) -> int:
    """The code of a value by its name or its words, letter case aside.

    Raises:
        Unusable: It is neither.
    """
    said = label.strip().casefold()
    for code, names in enumerate(zip(subject.values, subject.phrases, strict=True)):
        if said in {name.casefold() for name in names}:
            return code
    raise Unusable("unknown_labels", f"the label must be one of {', '.join(subject.values)}")
