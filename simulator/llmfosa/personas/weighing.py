"""Labels from small models: the probabilities of the values' words after a user's history."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from simulator.llmfosa.annotations import Persona
from simulator.llmfosa.personas.prompts import CONTENT_FREE, OPENING, Subject, history_line, persona_system

if TYPE_CHECKING:
    from simulator.llmfosa.personas.asking import Asker


@dataclass(frozen=True, eq=False)
class Weighed:
    """What a model finds likely before any calibration.

    Attributes:
        scores: `(n, P, A)` log P(value | history, persona) in nats; NaN where the model gave none.
        neutral: `(P, A)` the same for a content-free history, mean over three of them.
    """

    scores: NDArray[np.float64]
    neutral: NDArray[np.float64]


async def weigh(
    asker: Asker,
    personas: Sequence[Persona],
    subject: Subject,
    histories: Sequence[Sequence[str]],
    what_for: Sequence[str],
    nobody: str,
) -> Weighed:
    """Ask for every user and persona how likely each value is; one call a pair, and three a persona without history.

    Args:
        asker: Asks the model.
        personas: The P annotators.
        subject: What is judged.
        histories: For each of n users the quoted titles.
        what_for: For each user the purpose of its questions, for the cache.
        nobody: The purpose of the questions without history.
    """

    async def scores(persona: Persona, titles: Sequence[str], purpose: str) -> list[float]:
        found = await asker.scores(
            f"{purpose}/{persona.name}/label",
            system=persona_system(persona),
            user=history_line(titles, subject),
            opening=OPENING,
            phrases=subject.phrases,
        )
        return [np.nan] * len(subject.phrases) if found is None else found

    shown = [([text] if text else [], nobody) for text in CONTENT_FREE] + list(zip(histories, what_for, strict=True))
    async with asyncio.TaskGroup() as group:
        tasks = [
            [group.create_task(scores(persona, titles, purpose)) for persona in personas] for titles, purpose in shown
        ]
    found = np.array([[task.result() for task in row] for row in tasks])
    free = len(CONTENT_FREE)
    return Weighed(scores=found[free:], neutral=found[:free].mean(axis=0))
