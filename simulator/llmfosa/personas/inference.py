"""Multi-persona inference: what a language model, in the guise of several observers, makes of users' histories."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from simulator.inputs.nearest import nearest
from simulator.inputs.yamlfile import InputError, Problem
from simulator.llmfosa.annotations import Annotations, Persona
from simulator.llmfosa.interactions import Interactions
from simulator.llmfosa.loaders.history import history as strongest
from simulator.llmfosa.personas.annotating import Assignment, Summaries, annotate
from simulator.llmfosa.personas.asking import Asker, Progress
from simulator.llmfosa.personas.cohort import chosen_rows, detailed_titles, fitting, liked_things, plain_titles
from simulator.llmfosa.personas.editor import Edited, as_given, edit, shipped
from simulator.llmfosa.personas.opened import longest_history, opened, questions_at_once
from simulator.llmfosa.personas.prompts import Subject
from simulator.llmfosa.personas.record import Record
from simulator.llmfosa.personas.reporting import about, entries_at_start
from simulator.llmfosa.personas.store import begin, write
from simulator.rounds.loop import run as run_on_loop

if TYPE_CHECKING:
    from simulator.models import Model, ModelSpec

WHY = "guessing a hidden attribute of people makes personal data about them, whether the guess is right or wrong"
SUMMARY_WORDS = 80


def infer(
    data: Interactions,
    attribute: str,
    *,
    permission: str,
    model: str | ModelSpec | Mapping[str, Any] | Model = "embedded",
    personas: int | Sequence[Persona] = 3,
    write_personas: bool | None = None,
    users: int | Sequence[str] | None = None,
    history: int = 30,
    words: int = 30,
    rationales: bool = True,
    summaries: Summaries | None = None,
    prior: Mapping[str, float] | None = None,
    values: Sequence[str] | None = None,
    out: Path | str | None = None,
    cache: Path | str | None = None,
    budget: int | None = None,
    seed: int = 0,
    at_once: int | None = None,
    progress: Progress = lambda stage, done, total: None,
) -> Annotations:
    """Let a language model judge an attribute of users from what they liked, once in the guise of every persona.

    Small models (those whose word probabilities can be read) are not asked for an answer: the label is the likeliest
    value by calibrated probabilities (`simulator.llmfosa.personas.calibration`), and a short free text gives a reason.
    Others answer in strictly parsed JSON. Whatever cannot be read after a retry is an abstention, never an error. True
    values are looked at for the report in the manifest and nowhere else.

    The result depends neither on how many questions are asked at once nor on interruptions: with `out`, every answer is
    on disk as it arrives, and the same call asks only what is missing.

    Args:
        data: Who liked what; training interactions alone are shown.
        attribute: What is judged, one of `data.attributes` unless `values` are given.
        permission: Why this may be done; kept in the manifest.
        model: As everywhere: "embedded", "openai(model=...)", "ollama(model=...)", "fake", or a model made ready.
        personas: How many annotators, or the annotators.
        write_personas: Whether the model writes its personas; by default it does if it writes its labels, while small
            models take those that ship.
        users: How many users, drawn by seed, or their ids; all by default.
        history: How many titles of a user are shown at most, and no more than fit into the embedded model's context.
        words: The most words of a rationale.
        rationales: Whether weighed labels are explained.
        summaries: Who summarises: the "model", a rule ("composed", the default for small models), or "none".
        prior: Known shares of the values among the users, for weighed labels.
        values: The values to choose from; by default those of the attribute.
        out: The folder for the result, see `simulator.llmfosa.personas.store`; by default nothing is written.
        cache: A response cache, shared with other runs; it is made if it is missing.
        budget: The most tokens that may be spent.
        seed: Where users, ties and a server's sampling draw from.
        at_once: How many questions are with the model at the same time.
        progress: Is told the stage, how many of its answers are there, and how many it has.

    Raises:
        InputError: An argument is wrong, or `out` holds something else.
        ModelUnavailable: The model is not there.
        BudgetSpent: What was answered is kept in `out`; the same call with a larger budget goes on.
    """
    began, cpu = time.monotonic(), time.process_time()
    if not permission.strip():
        raise InputError([Problem("permission", f"say in a few words why you may do this, for {WHY}")])
    count = personas if isinstance(personas, int) else 1
    for name, number in (("history", history), ("words", words), ("personas", count), ("at_once", at_once or 1)):
        if number < 1:
            raise InputError([Problem(name, f"must be at least 1, found {number}")])
    names, truth = _values(data, attribute, values)
    subject = _subject(data, attribute, names)
    rows = chosen_rows(data, users, seed)
    shares = _prior(prior, names)
    purpose = f"llmfosa/{quote(data.name, safe='')}/{quote(attribute, safe='')}/"
    with ExitStack() as stack:
        llm, spared = stack.enter_context(opened(model, cache, budget, seed))
        weighs = llm.way == "weigh" and llm.scorer is not None
        if prior and not weighs:
            raise InputError([Problem("prior", "needs labels that are weighed; a model that writes them has its own")])
        writes = not weighs if write_personas is None else write_personas
        cast = None if isinstance(personas, int) and writes else _cast(personas)
        shown = [strongest(data, row, history, seed=seed) for row in rows]
        room = longest_history(llm)
        assignment = Assignment(
            subject=subject,
            attribute=attribute,
            values=names,
            users=tuple(data.users[row] for row in rows),
            titles=[fitting(plain_titles(data, items), room) for items in shown],
            detailed=[fitting(detailed_titles(data, items), room) for items in shown],
            purpose=purpose,
            purposes=tuple(f"{purpose}{quote(data.users[row], safe='')}" for row in rows),
            personas=() if cast is None else cast.personas,
            way="weigh" if weighs else "listwise",
            words=words,
            summary_words=SUMMARY_WORDS,
            rationales=rationales,
            summaries=summaries or ("composed" if weighs else "model"),
            prior=shares,
            origin=llm.name,
        )
        start = entries_at_start(data.name, attribute, names, permission, llm, purpose, cache)
        record = stack.enter_context(Record(None if out is None else begin(Path(out), start)))
        asker = Asker(llm, record, at_once=at_once or questions_at_once(llm), progress=progress)

        async def work() -> tuple[Annotations, NDArray[np.float64] | None, Edited]:
            known = cast or await _written(asker, personas, assignment)
            return *await annotate(asker, replace(assignment, personas=known.personas)), known

        try:
            found, temperatures, known = run_on_loop(work())
        except BaseExceptionGroup as several:
            raise _first(several) from None
        if out is not None:
            settings = {"history": history, "words": words, "seed": seed, "prior": dict(prior or {})}
            settings |= {"way": assignment.way, "summaries_by": assignment.summaries}
            spent = {"seconds": time.monotonic() - began, "cpu_seconds": time.process_time() - cpu}
            told = about(found, truth[rows], asker, known, temperatures, {**start, **settings}, spent, spared, seed)
            write(found, out, told)
        return found


def _values(
    data: Interactions, attribute: str, values: Sequence[str] | None
) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The values to choose from, and the true codes of all users, -1 where they are not known."""
    known = data.attributes.get(attribute)
    names = tuple(values or (known.values if known is not None else ()))
    if not names:
        hint = nearest(attribute, sorted(data.attributes), limit=8)
        raise InputError([Problem(f"attribute {attribute}", f"{data.name} has no such attribute{hint}")])
    if known is None or tuple(known.values) != names:
        return names, np.full(len(data.users), -1, dtype=np.int64)
    return names, known.codes


def _subject(data: Interactions, attribute: str, names: Sequence[str]) -> Subject:
    try:
        return Subject.of(attribute, names, liked_things(data))
    except ValueError as error:
        raise InputError([Problem(f"attribute {attribute}", str(error))]) from None


def _cast(personas: int | Sequence[Persona]) -> Edited:
    try:
        return shipped(personas) if isinstance(personas, int) else as_given(personas)
    except ValueError as error:
        raise InputError([Problem("personas", str(error))]) from None


async def _written(asker: Asker, personas: int | Sequence[Persona], assignment: Assignment) -> Edited:
    assert isinstance(personas, int)
    try:
        return await edit(asker, personas, assignment.subject, f"{assignment.purpose}personas")
    except ValueError as error:
        raise InputError([Problem("personas", str(error))]) from None


def _prior(prior: Mapping[str, float] | None, names: Sequence[str]) -> NDArray[np.float64] | None:
    if not prior:
        return None
    shares = np.array([prior.get(name, np.nan) for name in names], dtype=np.float64)
    if set(prior) != set(names) or not (shares > 0).all() or abs(shares.sum() - 1) > 1e-6:
        raise InputError([Problem("prior", f"needs a share above 0 for each of {', '.join(names)}, which sum to 1")])
    return shares


def _first(error: BaseException) -> BaseException:
    """Of the failures of questions that were asked at the same time the one that stopped the others."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
