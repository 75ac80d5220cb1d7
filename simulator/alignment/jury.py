"""A jury of personas: whether an outcome serves a stakeholder's goal, judged from words alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.alignment.jury_words import (
    NEUTRAL,
    OPENING,
    REASON_WORDS,
    Case,
    Verdict,
    juror_system,
    option_question,
    rating_code,
    reason_question,
    verdict_question,
)
from simulator.alignment.serving import RATINGS
from simulator.llmfosa.annotations import Annotations, Persona
from simulator.llmfosa.personas.annotating import labels_of
from simulator.llmfosa.personas.calibration import calibrate
from simulator.llmfosa.personas.reading import bounded
from simulator.profile import Floats

if TYPE_CHECKING:
    from simulator.llmfosa.personas.asking import Asker

QUESTION = "does the outcome serve the goal"


async def judge(
    asker: Asker, jurors: Sequence[Persona], cases: Sequence[Case], *, weighs: bool, reasons: bool = True
) -> Annotations:
    """Verdicts of P jurors on n cases; the values are `RATINGS`, the users are the cases.

    A model whose word probabilities can be read is not asked for an answer: with c the case and c_0 the same goal with
    a slate of which nothing is said,

        z_cjv = log P(v | c, juror j) - log P(v | c_0, juror j)                               contextual calibration

    then batch calibration over the cases of a juror and a temperature (`simulator.llmfosa.personas.calibration`). It
    takes every rating to be equally likely over many cases, so that rates of yes and no are not to be read off it: the
    order of the cases is. Other models write a `Verdict`. Whoever is unsure, or gives no usable answer after a retry,
    abstains.

    Args:
        asker: Asks the model.
        jurors: Who judges.
        cases: What is judged.
        weighs: Whether probabilities are read instead of answers.
        reasons: Whether a model that is weighed explains its verdicts; one call each.
    """
    if weighs:
        return await _weighed(asker, jurors, cases, reasons)
    return await _written(asker, jurors, cases)


async def _weighed(asker: Asker, jurors: Sequence[Persona], cases: Sequence[Case], reasons: bool) -> Annotations:
    goals = list(dict.fromkeys(each.goal for each in cases))
    asker.stage("verdicts", (len(cases) + len(goals)) * len(jurors))

    async def score(juror: Persona, goal: str, slate: str) -> list[float]:
        found = await asker.scores(
            f"jury/{juror.name}/verdict",
            system=juror_system(juror),
            user=option_question(goal, slate),
            opening=OPENING,
            phrases=RATINGS,
        )
        return [np.nan] * len(RATINGS) if found is None else found

    shown = [(goal, NEUTRAL) for goal in goals] + [(each.goal, each.slate) for each in cases]
    async with asyncio.TaskGroup() as group:
        tasks = [[group.create_task(score(juror, *words)) for juror in jurors] for words in shown]
    scores = np.array([[task.result() for task in row] for row in tasks])
    place = {goal: row for row, goal in enumerate(goals)}
    neutral: Floats = scores[[place[each.goal] for each in cases]]
    z = scores[len(goals) :] - np.where(np.isfinite(neutral).all(axis=-1, keepdims=True), neutral, 0.0)
    probabilities = np.round(calibrate(z, np.zeros(scores.shape[1:])).probabilities, 6)
    labels, confidence = labels_of(probabilities)

    async def explain(row: int, column: int) -> str:
        if labels[row, column] < 0:
            return ""
        return await asker.sentence(
            f"jury/{jurors[column].name}/reason",
            system=juror_system(jurors[column]),
            user=reason_question(cases[row], RATINGS[labels[row, column]]),
            words=REASON_WORDS,
        )

    told = [[""] * len(jurors) for _ in cases]
    if reasons:
        asker.stage("reasons", int((labels >= 0).sum()))
        async with asyncio.TaskGroup() as group:
            why = [[group.create_task(explain(r, c)) for c in range(len(jurors))] for r in range(len(cases))]
        told = [[task.result() for task in row] for row in why]
    return _annotations(jurors, cases, labels, confidence, told, probabilities)


async def _written(asker: Asker, jurors: Sequence[Persona], cases: Sequence[Case]) -> Annotations:
    asker.stage("verdicts", len(cases) * len(jurors))

    async def one(juror: Persona, given: Case) -> tuple[int, float, str]:
        answer: Verdict | None = await asker.structured(
            f"jury/{juror.name}/verdict",
            system=juror_system(juror),
            user=verdict_question(given),
            form=Verdict,
            check=rating_code,
        )
        code = -1 if answer is None else rating_code(answer)
        if answer is None or code < 0:
            return -1, np.nan, "" if answer is None else bounded(answer.reason, REASON_WORDS)
        return code, round(answer.confidence, 6), bounded(answer.reason, REASON_WORDS)

    async with asyncio.TaskGroup() as group:
        tasks = [[group.create_task(one(juror, given)) for juror in jurors] for given in cases]
    said = [[task.result() for task in row] for row in tasks]
    labels = np.array([[code for code, _, _ in row] for row in said], dtype=np.int64)
    confidence = np.array([[sure for _, sure, _ in row] for row in said], dtype=np.float64)
    return _annotations(jurors, cases, labels, confidence, [[why for _, _, why in row] for row in said], None)


def _annotations(
    jurors: Sequence[Persona], cases: Sequence[Case], labels: Any, confidence: Any, reasons: Any, probabilities: Any
) -> Annotations:
    return Annotations(
        attribute=QUESTION,
        values=RATINGS,
        personas=tuple(jurors),
        users=tuple(each.id for each in cases),
        labels=labels,
        confidence=confidence,
        rationales=tuple(map(tuple, reasons)),
        summaries=("",) * len(cases),
        probabilities=probabilities,
    )
