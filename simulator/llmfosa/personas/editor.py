"""The Persona Editor: clearly different observers, written by a model and completed from those that ship."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from simulator.llmfosa.annotations import Persona
from simulator.llmfosa.personas.diversity import Diversity, diversity, plain_name, similarity
from simulator.llmfosa.personas.prompts import (
    LONGEST_DESCRIPTION,
    LONGEST_NAME,
    Subject,
    editor_system,
    editor_task,
)
from simulator.llmfosa.personas.quoting import one_line
from simulator.llmfosa.personas.shipped import shipped_personas

if TYPE_CHECKING:
    from simulator.llmfosa.personas.asking import Asker

ROUNDS = 3
MOST_ALIKE = 0.8  # cosine of descriptions above which two personas are one
FEWEST_WORDS = 4  # of a description that tells how somebody reasons


class _Written(BaseModel):
    """One observer: discipline in one to three words, and who it is."""

    name: str = Field(json_schema_extra={"maxLength": LONGEST_NAME})
    description: str = Field(json_schema_extra={"maxLength": LONGEST_DESCRIPTION})


class _Cast(BaseModel):
    """The observers."""

    personas: list[_Written] = Field(json_schema_extra={"maxItems": 20})


@dataclass(frozen=True, slots=True)
class Edited:
    """Personas and where they come from.

    Attributes:
        personas: As many as were asked for.
        written: How many of them, the first ones, the model wrote.
        refused: How many of its personas were empty or too much like another one.
        diversity: Measured over all of them.
    """

    personas: tuple[Persona, ...]
    written: int
    refused: int
    diversity: Diversity


async def edit(asker: Asker, count: int, subject: Subject, what_for: str) -> Edited:
    """Ask for `count` personas; what is missing, empty or a duplicate is asked again, then taken from those that ship.

    A persona is a duplicate if its name without case and numbers is taken or its TF-IDF cosine with another one
    exceeds 0.8.

    Raises:
        ValueError: Not even the shipped personas make up the number.
    """
    kept: list[Persona] = []
    refused: list[Persona] = []
    for number in range(ROUNDS):
        answer: _Cast | None = await asker.structured(
            what_for,
            system=editor_system(),
            user=editor_task(count - len(kept), [*kept, *refused], subject),
            form=_Cast,
        )
        before, known = len(kept), len(kept) + len(refused)
        for written in answer.personas if answer is not None else []:
            persona = Persona(one_line(written.name, LONGEST_NAME), one_line(written.description, LONGEST_DESCRIPTION))
            (kept if len(kept) < count and is_new(persona, kept) else refused).append(persona)
        same_question_again = len(kept) + len(refused) == known
        if len(kept) == count or same_question_again or (number and len(kept) == before):
            break
    personas = complete(kept, count)
    return Edited(personas, len(kept), len(refused), diversity(personas))


def shipped(count: int) -> Edited:
    """The first `count` personas that ship.

    Raises:
        ValueError: So many do not ship.
    """
    personas = complete([], count)
    return Edited(personas, 0, 0, diversity(personas))


def complete(kept: Sequence[Persona], count: int) -> tuple[Persona, ...]:
    """The kept personas, and shipped ones that differ from them, up to `count`, which is at least 1.

    Raises:
        ValueError: There are not so many.
    """
    if count < 1:
        raise ValueError(f"must be at least 1, found {count}")
    found = list(kept)
    for persona in shipped_personas():
        if len(found) < count and is_new(persona, found):
            found.append(persona)
    if len(found) < count:
        raise ValueError(f"{count} personas were asked for and {len(found)} are there; ask for fewer")
    return tuple(found)


def is_new(persona: Persona, known: Sequence[Persona]) -> bool:
    """Whether a persona says something and differs from those that are known."""
    name = plain_name(persona.name)
    if not name or len(persona.description.split()) < FEWEST_WORDS or name in {plain_name(p.name) for p in known}:
        return False
    return not known or bool(
        similarity([persona.description, *(p.description for p in known)])[0, 1:].max() <= MOST_ALIKE
    )


def as_given(personas: Sequence[Persona]) -> Edited:
    """Personas that somebody has chosen, in one line each.

    Raises:
        ValueError: None, one without a name, or two of the same name.
    """
    found = tuple(
        Persona(one_line(one.name, LONGEST_NAME), one_line(one.description, LONGEST_DESCRIPTION)) for one in personas
    )
    names = [persona.name for persona in found]
    if not found or "" in names or len(set(names)) < len(names):
        raise ValueError(f"need one or more with names that differ, found {names}")
    return Edited(found, 0, 0, diversity(found))
