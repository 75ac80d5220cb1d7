"""The Meta Summarizer: what the annotators found about one user and where they disagree, without a vote of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from simulator.llmfosa.annotations import Annotations
from simulator.llmfosa.personas.prompts import Subject, summarizer_system, summary_task
from simulator.llmfosa.personas.quoting import first_words

if TYPE_CHECKING:
    from simulator.llmfosa.personas.asking import Asker


async def summarize(
    asker: Asker,
    found: Annotations,
    subject: Subject,
    histories: Sequence[Sequence[str]],
    what_for: Sequence[str],
    words: int,
) -> list[str]:
    """Ask the model for one summary a user; "" where no annotator said anything or no reply could be used."""

    async def one(row: int) -> str:
        said = judgements(found, subject, row)
        if not said:
            return ""
        return await asker.sentence(
            f"{what_for[row]}/summary",
            system=summarizer_system(),
            user=summary_task(histories[row], said, subject, words),
            words=words,
        )

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(row)) for row in range(len(found.users))]
    return [task.result() for task in tasks]


def judgements(found: Annotations, subject: Subject, row: int) -> list[str]:
    """What each persona that did not abstain said about one user, in a line."""
    return [
        f"{persona.name}: {subject.phrases[label]} (confidence {confidence:.2f}). {rationale}".rstrip()
        for persona, label, confidence, rationale in zip(
            found.personas, found.labels[row], found.confidence[row], found.rationales[row], strict=True
        )
        if label >= 0
    ]


def compose(found: Annotations, subject: Subject, words: int) -> list[str]:
    """Summaries put together by rule from votes, confidences and rationales, for models too small to write one.

    For every value with votes, most votes first: how many of the personas, their mean confidence and the evidence of
    the most confident one, which is cut so that all fit into `words`.
    """
    return [_composed(found, subject, row, words) for row in range(len(found.users))]


def _composed(found: Annotations, subject: Subject, row: int, words: int) -> str:
    labels, confidence = found.labels[row], found.confidence[row]
    votes = np.bincount(labels[labels >= 0], minlength=len(subject.values))
    if not votes.sum():
        return ""
    named = [int(code) for code in np.argsort(-votes, kind="stable") if votes[code]]
    agreed = "All agree." if len(named) == 1 else "They disagree."
    heads = {
        code: f"{votes[code]} of {len(labels)} personas judge {subject.phrases[code]} "
        f"(mean confidence {np.nanmean(confidence[labels == code]):.2f})"
        for code in named
    }
    left = max(0, words - len(agreed.split()) - sum(len(head.split()) for head in heads.values()))
    parts = []
    for code in named:
        surest = int(np.where(labels == code, confidence, -1.0).argmax())
        evidence = first_words(found.rationales[row][surest], left // len(named))
        said = f"{heads[code]}: {evidence}" if evidence else heads[code]
        parts.append(said if said[-1] in ".!?" else f"{said}.")
    return first_words(" ".join([agreed, *parts]), words)
