"""Annotations by name: simulated ones, or those of an inference folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from simulator.llmfosa.annotations import Annotations
from simulator.llmfosa.interactions import Interactions

SIMULATED = ("independent", "shared", "stereotypes")


def annotations_of(name: str, data: Interactions, attribute: str, seed: int) -> Annotations:
    """Annotations of the users, in their order.

    Args:
        name: `independent`, `shared(rho=0.7)` or `stereotypes`, which are simulated; or the folder of an inference.
        data: The users.
        attribute: What is judged.
        seed: Of the simulation.

    Raises:
        InputError: There is no such thing, or it does not fit.
    """
    from simulator.callsyntax import CallSyntaxError, parse_call
    from simulator.inputs.yamlfile import InputError, Problem
    from simulator.llmfosa import simulated

    if Path(name).is_dir():
        from simulator.llmfosa.personas.store import read

        return aligned(read(name), data, attribute)
    try:
        kind, arguments = parse_call(name)
    except CallSyntaxError:
        kind, arguments = name, {}
    if kind not in SIMULATED:
        known = "independent, shared(rho=0.7), stereotypes, or the folder that `fairagents llmfosa infer` has written"
        raise InputError([Problem(f"--annotations {name}", f"is neither a folder nor simulated: {known}")])
    try:
        found: Annotations = getattr(simulated, kind)(data, attribute, seed=seed, **arguments)
        return found
    except (TypeError, ValueError) as error:
        raise InputError([Problem(f"--annotations {name}", str(error))]) from None


def aligned(notes: Annotations, data: Interactions, attribute: str) -> Annotations:
    """Annotations in the order of the data's users; users who were not judged have no labels.

    Raises:
        InputError: They judge another attribute, or users who are not in the data.
    """
    from simulator.inputs.yamlfile import InputError, Problem

    place = {user: position for position, user in enumerate(data.users)}
    strangers = [user for user in notes.users if user not in place]
    values = data.attributes[attribute].values if attribute in data.attributes else notes.values
    wrong = None
    if notes.attribute != attribute:
        wrong = f"judge {notes.attribute!r}, not {attribute!r}; --attribute {notes.attribute} compares by it"
    elif strangers:
        wrong = f"judge user {strangers[0]!r}, who is not in {data.name}"
    elif set(notes.values) != set(values):
        wrong = f"know the values {', '.join(notes.values)}, the data {', '.join(values)}"
    if wrong:
        raise InputError([Problem("--annotations", wrong)])
    n, personas = len(data.users), len(notes.personas)
    rows = np.array([place[user] for user in notes.users], dtype=np.int64)
    order = np.array([values.index(value) for value in notes.values])
    labels = np.full((n, personas), -1, dtype=np.int64)
    labels[rows] = np.where(notes.labels >= 0, order[notes.labels], -1)
    confidence = np.full((n, personas), np.nan)
    confidence[rows] = notes.confidence
    probabilities = None
    if notes.probabilities is not None:
        probabilities = np.full((n, personas, len(values)), np.nan)
        probabilities[rows[:, None], :, order[None]] = notes.probabilities.transpose(0, 2, 1)
    rationales: list[tuple[str, ...]] = [("",) * personas] * n
    summaries = [""] * n
    for row, texts, summary in zip(rows.tolist(), notes.rationales, notes.summaries, strict=True):
        rationales[row], summaries[row] = tuple(texts), summary
    return Annotations(
        attribute,
        values,
        notes.personas,
        data.users,
        labels,
        confidence,
        rationales,
        summaries,
        probabilities,
        notes.origin,
    )
