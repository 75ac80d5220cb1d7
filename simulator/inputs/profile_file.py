"""A profile of ballots from a JSON file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from simulator.catalogue import LARGEST
from simulator.inputs.textfile import TextError, read_text
from simulator.inputs.yamlfile import InputError, Problem
from simulator.profile import Profile

EXAMPLE = '{"ballots": [{"ranking": ["a", ["b", "c"]], "weight": 2}]}'
KINDS = ("ranking", "approves", "utilities")


def read_profile(path: Path) -> Profile:
    """Read `{"items": [...], "ballots": [{"weight": 2, "ranking": [["a"], ["b", "c"]]}, ...]}`.

    A ballot has a `ranking` (a list inside it is a tie), or `approves`, or `utilities`, the same throughout a file.
    Items that a ballot does not name are unranked (tied last), not approved, or worth 0.

    Raises:
        InputError: the file cannot be read or a ballot is wrong.
    """
    try:
        data = json.loads(read_text(path))
    except TextError as error:
        raise InputError(
            [Problem(str(path) if error.line is None else f"{path}:{error.line}", error.message)]
        ) from None
    except json.JSONDecodeError as error:
        raise InputError([Problem(f"{path}:{error.lineno}", f"is not JSON: {error.msg}")]) from None
    except (RecursionError, ValueError) as error:  # nested too deeply, or a number of too many digits
        raise InputError([Problem(str(path), f"cannot be read: {error}")]) from None
    try:
        return _profile(data)
    except ValueError as error:
        raise InputError([Problem(str(path), str(error))]) from None


def _profile(data: Any) -> Profile:
    if not isinstance(data, Mapping) or not isinstance(data.get("ballots"), list):
        raise ValueError(f"needs an object with ballots, such as {EXAMPLE}")
    ballots = data["ballots"]
    kinds = {kind for ballot in ballots if isinstance(ballot, Mapping) for kind in KINDS if kind in ballot}
    if any(not isinstance(ballot, Mapping) for ballot in ballots) or len(kinds) > 1:
        raise ValueError(f"every ballot needs one of {', '.join(KINDS)}, the same throughout the file")
    weights = [_weight(ballot.get("weight", 1), number) for number, ballot in enumerate(ballots, start=1)]
    kind = next(iter(kinds), "ranking")
    answers = [ballot.get(kind) for ballot in ballots]
    items = data.get("items")
    if items is not None and not (isinstance(items, list) and all(isinstance(item, str) for item in items)):
        raise ValueError('"items" must be a list of names')
    if kind == "ranking":
        rankings = [_ranking(answer, number) for number, answer in enumerate(answers, start=1)]
        return Profile.from_rankings(rankings, weights, items=items)
    if kind == "approves":
        approved = [_names(answer, number) for number, answer in enumerate(answers, start=1)]
        return Profile.from_approvals(approved, weights, items=items)
    return _utilities(answers, weights, items)


def _utilities(answers: list[Any], weights: list[float], items: list[str] | None) -> Profile:
    for number, answer in enumerate(answers, start=1):
        if not isinstance(answer, Mapping) or not all(_is_number(value) for value in answer.values()):
            raise ValueError(f'ballot {number}: "utilities" must map items to finite numbers')
    names = items if items is not None else list(dict.fromkeys(item for answer in answers for item in answer))
    known = set(names)
    unknown = [item for answer in answers for item in answer if item not in known]
    if unknown:
        raise ValueError(f"a ballot names {unknown[0]!r}, which is not among the items")
    table = np.array([[float(answer.get(item, 0.0)) for item in names] for answer in answers])
    return Profile.from_utilities(table.reshape(len(answers), len(names)), names, weights)


def _ranking(answer: Any, number: int) -> list[str | list[str]]:
    entries = answer if isinstance(answer, list) else None
    if entries is None or not all(isinstance(e, str) or (isinstance(e, list) and _all_text(e)) for e in entries):
        raise ValueError(f'ballot {number}: "ranking" must be a list of items, a tie being a list inside it')
    return [entry for entry in entries if entry]


def _names(answer: Any, number: int) -> list[str]:
    if not isinstance(answer, list) or not _all_text(answer):
        raise ValueError(f'ballot {number}: "approves" must be a list of items')
    return answer


def _all_text(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _weight(value: Any, number: int) -> float:
    if not _is_number(value) or value < 0:
        shown = repr(value)[:60]
        raise ValueError(f'ballot {number}: "weight" must be a finite number of at least 0, found {shown}')
    return float(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST
