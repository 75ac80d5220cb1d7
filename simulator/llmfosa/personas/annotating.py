"""The order in which a model is asked: labels, then reasons, then one summary a user."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from simulator.llmfosa.annotations import Annotations, Persona
from simulator.llmfosa.personas.asking import Asker
from simulator.llmfosa.personas.calibration import Calibrated, calibrate
from simulator.llmfosa.personas.judging import judge
from simulator.llmfosa.personas.prompts import CONTENT_FREE, Subject, persona_system, rationale_task
from simulator.llmfosa.personas.summarizer import compose, summarize
from simulator.llmfosa.personas.weighing import weigh
from simulator.models.base import Way

Summaries = Literal["model", "composed", "none"]

MOST_IN_RATIONALE = 6  # titles that a small model is shown when it explains; more cost time and add nothing


@dataclass(frozen=True)
class Assignment:
    """What is asked of a model.

    Attributes:
        subject: What is judged.
        attribute: Its name in the data.
        values: Its values in the data.
        users: The n user ids.
        titles: For each user the quoted titles, for models that weigh.
        detailed: For each user the quoted titles with genres, for models that write.
        purpose: What all questions are for; every purpose begins with it.
        purposes: For each user what its questions are for, for the cache.
        personas: The P annotators.
        way: Whether labels are weighed (calibrated probabilities) or written (JSON).
        words: The most words of a rationale.
        summary_words: The most words of a summary.
        rationales: Whether weighed labels are explained.
        summaries: Who summarises.
        prior: `(A,)` known shares of the values, for weighed labels; or None.
        origin: What answers, for the annotations.
    """

    subject: Subject
    attribute: str
    values: tuple[str, ...]
    users: tuple[str, ...]
    titles: Sequence[Sequence[str]]
    detailed: Sequence[Sequence[str]]
    purpose: str
    purposes: tuple[str, ...]
    personas: tuple[Persona, ...]
    way: Way
    words: int
    summary_words: int
    rationales: bool
    summaries: Summaries
    prior: NDArray[np.float64] | None
    origin: str


async def annotate(asker: Asker, work: Assignment) -> tuple[Annotations, NDArray[np.float64] | None]:
    """Annotations, and the temperature of every persona where labels were weighed."""
    if work.way == "weigh":
        found, temperatures = await _weighed(asker, work)
    else:
        found, temperatures = await _written(asker, work), None
    if work.summaries == "model":
        asker.stage("summaries", len(work.users))
        summaries = await summarize(asker, found, work.subject, work.detailed, work.purposes, work.summary_words)
    elif work.summaries == "composed":
        summaries = compose(found, work.subject, work.summary_words)
    else:
        summaries = [""] * len(work.users)
    return replace(found, summaries=tuple(summaries)), temperatures


def labels_of(probabilities: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The likeliest value `(n, P)` and its probability; -1 and NaN where nothing is known or two are equally likely."""
    known = np.asarray(np.isfinite(probabilities).all(axis=-1))
    ordered = np.sort(np.where(known[..., None], probabilities, 0.0), axis=-1)
    clear = known & (ordered[..., -1] - ordered[..., -2] > 1e-9)
    likeliest = np.where(known[..., None], probabilities, 0.0).argmax(axis=-1)
    return np.where(clear, likeliest, -1), np.where(clear, ordered[..., -1], np.nan)


async def _weighed(asker: Asker, work: Assignment) -> tuple[Annotations, NDArray[np.float64]]:
    asker.stage("labels", (len(work.users) + len(CONTENT_FREE)) * len(work.personas))
    raw = await weigh(asker, work.personas, work.subject, work.titles, work.purposes, f"{work.purpose}nobody")
    calibrated: Calibrated = calibrate(raw.scores, raw.neutral, prior=work.prior)
    probabilities = np.round(calibrated.probabilities, 6)
    labels, confidence = labels_of(probabilities)
    rationales = [[""] * len(work.personas) for _ in work.users]
    if work.rationales:
        asker.stage("rationales", int((labels >= 0).sum()))
        rationales = await _explained(asker, work, labels)
    found = Annotations(
        attribute=work.attribute,
        values=work.values,
        personas=work.personas,
        users=work.users,
        labels=labels,
        confidence=confidence,
        rationales=tuple(map(tuple, rationales)),
        summaries=(),
        probabilities=probabilities,
        origin=work.origin,
    )
    return found, calibrated.temperatures


async def _explained(asker: Asker, work: Assignment, labels: NDArray[np.int64]) -> list[list[str]]:
    async def one(row: int, place: int) -> str:
        if labels[row, place] < 0:
            return ""
        persona = work.personas[place]
        return await asker.sentence(
            f"{work.purposes[row]}/{persona.name}/rationale",
            system=persona_system(persona),
            user=rationale_task(
                work.titles[row][:MOST_IN_RATIONALE],
                work.subject.phrases[labels[row, place]],
                work.subject,
                work.words,
            ),
            words=work.words,
        )

    async with asyncio.TaskGroup() as group:
        tasks = [
            [group.create_task(one(row, place)) for place in range(len(work.personas))]
            for row in range(len(work.users))
        ]
    return [[task.result() for task in row] for row in tasks]


async def _written(asker: Asker, work: Assignment) -> Annotations:
    asker.stage("labels", len(work.users) * len(work.personas))
    said = await judge(asker, work.personas, work.subject, work.detailed, work.purposes, work.words)
    shape = (len(work.users), len(work.personas))
    return Annotations(
        attribute=work.attribute,
        values=work.values,
        personas=work.personas,
        users=work.users,
        labels=np.array([[one.label for one in row] for row in said], dtype=np.int64).reshape(shape),
        confidence=np.array([[one.confidence for one in row] for row in said], dtype=np.float64).reshape(shape),
        rationales=tuple(tuple(one.rationale for one in row) for row in said),
        summaries=(),
        origin=work.origin,
    )
