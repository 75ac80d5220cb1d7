"""A profile of ballots from JSON, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from simulator.inputs.nearest import nearest
from simulator.inputs.preflib.write import ballot_tiers
from simulator.inputs.textfile import TextError, read_text
from simulator.inputs.yamlfile import InputError, Problem
from simulator.profile import LARGEST, Profile, Ranking, dense_ranks

EXAMPLE = '{"ballots": [{"ranking": ["a", ["b", "c"]], "weight": 2}]}'
KINDS = ("ranking", "approves", "utilities")


def read_json(path: Path) -> Profile:
    """Read `{"items": [...], "ballots": [{"weight": 2, "ranking": [["a"], ["b", "c"]]}, ...]}`.

    A ballot has a `ranking` (a list inside it is a tie), or `approves`, or `utilities`, or several of these, the same
    throughout a file. Items that a ballot does not name are unranked (tied last), not approved, or worth 0. Without a
    ranking, approved items are tied above all others, and utilities rank items by themselves.

    Raises:
        InputError: the file cannot be read or a ballot is wrong.
    """
    try:
        data = json.loads(read_text(path), object_pairs_hook=_object)
    except TextError as error:
        place = str(path) if error.line is None else f"{path}:{error.line}"
        raise InputError([Problem(place, error.message)]) from None
    except json.JSONDecodeError as error:
        raise InputError([Problem(f"{path}:{error.lineno}", f"is not JSON: {error.msg}")]) from None
    except (RecursionError, ValueError) as error:  # nested too deeply, a key twice, a number of too many digits
        raise InputError([Problem(str(path), f"cannot be read: {error}")]) from None
    try:
        return _profile(data)
    except ValueError as error:
        raise InputError([Problem(str(path), str(error))]) from None


def json_text(profile: Profile) -> str:
    """The JSON that is read back as the same profile, one ballot a line; voters' names alone are left out.

    Raises:
        ValueError: the profile has batch axes.
    """
    if profile.ranks.ndim != 2:
        raise ValueError(f"one profile at a time: ranks have shape {profile.ranks.shape}, expected (n, m)")
    lines = ",\n".join(f"  {_dumped(ballot)}" for ballot in ballots_json(profile))
    inside = f"\n{lines}\n" if lines else ""
    return f'{{"items": {_dumped(list(profile.items))}, "ballots": [{inside}]}}\n'


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice[:60]!r} stands twice in one object")
    return found


def _profile(data: Any) -> Profile:
    if not isinstance(data, Mapping) or not isinstance(data.get("ballots"), list):
        raise ValueError(f"needs an object with ballots, such as {EXAMPLE}")
    _check_keys(data, ("items", "ballots"), "the file")
    ballots = data["ballots"]
    for number, ballot in enumerate(ballots, start=1):
        if not isinstance(ballot, Mapping):
            raise ValueError(f"ballot {number} must be an object, as in {EXAMPLE}")
        _check_keys(ballot, ("weight", *KINDS), f"ballot {number}")
    kinds = [kind for kind in KINDS if any(kind in ballot for ballot in ballots)]
    for number, ballot in enumerate(ballots, start=1):
        missing = next((kind for kind in kinds or KINDS if kind not in ballot), None)
        if missing is not None:
            lacks = f'; this one has no "{missing}"' if kinds else ""
            raise ValueError(
                f"ballot {number}: every ballot needs one of {', '.join(KINDS)}, the same throughout the file{lacks}"
            )
    weights = [_weight(ballot.get("weight", 1), number) for number, ballot in enumerate(ballots, start=1)]
    items = data.get("items")
    if items is not None and not (isinstance(items, list) and all(isinstance(item, str) for item in items)):
        raise ValueError('"items" must be a list of names')
    read = {kind: [_READ[kind](ballot[kind], number) for number, ballot in enumerate(ballots, 1)] for kind in kinds}
    names = (
        items if items is not None else list(dict.fromkeys(name for answers in read.values() for name in _all(answers)))
    )
    return _built(read, names, weights)


def _built(read: dict[str, list[Any]], names: list[str], weights: list[float]) -> Profile:
    """The profile of answers of one kind or several; the ranking is the given one, else follows from the others."""
    ranked = approved = worth = None
    if "ranking" in read or not read:
        ranked = Profile.from_rankings(read.get("ranking", []), weights, items=names)
    if "approves" in read:
        approved = Profile.from_approvals(read["approves"], weights, items=names)
    if "utilities" in read:
        worth = _utilities(read["utilities"], names, weights)
    base = next(found for found in (ranked, worth, approved) if found is not None)
    return Profile(
        base.items,
        base.ranks,
        base.weights,
        None if worth is None else worth.utilities,
        None if approved is None else approved.approvals,
    )


def _utilities(answers: list[Mapping[str, float]], names: list[str], weights: list[float]) -> Profile:
    known = set(names)
    unknown = next((item for answer in answers for item in answer if item not in known), None)
    if unknown is not None:
        raise ValueError(f"a ballot names {unknown!r}, which is not among the items")
    table = np.array([[float(answer.get(item, 0.0)) for item in names] for answer in answers])
    return Profile.from_utilities(table.reshape(len(answers), len(names)), names, weights)


def _all(answers: list[Any]) -> list[str]:
    return [item for answer in answers for item in answer]


def _ranking(answer: Any, number: int) -> Ranking:
    entries = answer if isinstance(answer, list) else None
    if entries is None or not all(isinstance(e, str) or (isinstance(e, list) and _all_text(e)) for e in entries):
        raise ValueError(f'ballot {number}: "ranking" must be a list of items, a tie being a list inside it')
    try:
        return Ranking.of([entry for entry in entries if entry != []])
    except ValueError as error:
        raise ValueError(f"ballot {number}: {error}") from None


def _approves(answer: Any, number: int) -> list[str]:
    if not isinstance(answer, list) or not _all_text(answer):
        raise ValueError(f'ballot {number}: "approves" must be a list of items')
    if len(set(answer)) < len(answer):
        twice = next(item for item in answer if answer.count(item) > 1)
        raise ValueError(f"ballot {number}: item {twice!r} stands twice")
    return answer


def _worths(answer: Any, number: int) -> Mapping[str, float]:
    if not isinstance(answer, Mapping) or not all(_is_number(value) for value in answer.values()):
        raise ValueError(f'ballot {number}: "utilities" must map items to finite numbers')
    return answer


_READ = {"ranking": _ranking, "approves": _approves, "utilities": _worths}


def _check_keys(found: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    odd = next((key for key in found if key not in known), None)
    if odd is not None:
        raise ValueError(f"{where} has an unknown key {odd[:60]!r}{nearest(odd, list(known))}")


def _all_text(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _weight(value: Any, number: int) -> float:
    if not _is_number(value) or value < 0:
        shown = repr(value)[:60]
        raise ValueError(f'ballot {number}: "weight" must be a number from 0 to {LARGEST:g}, found {shown}')
    return float(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST


def ballots_json(profile: Profile) -> list[dict[str, Any]]:
    """The ballots as JSON-able objects; a ranking is left out where it follows from the rest."""
    names, m = profile.items, profile.m
    follows = None
    if profile.utilities is not None:
        follows = dense_ranks(profile.utilities)
    elif profile.approvals is not None:
        follows = np.where(profile.approvals, 0, m)
    with_ranking = follows is None or not np.array_equal(follows, profile.ranks)
    ballots: list[dict[str, Any]] = []
    for voter, weight in enumerate(profile.weights.tolist()):
        ballot: dict[str, Any] = {"weight": int(weight) if weight.is_integer() else weight}
        if with_ranking:
            tiers = ballot_tiers(profile.ranks[voter].tolist())
            ballot["ranking"] = [[names[item] for item in tier] for tier in tiers]
        if profile.approvals is not None:
            ballot["approves"] = [names[item] for item in np.flatnonzero(profile.approvals[voter])]
        if profile.utilities is not None:
            ballot["utilities"] = dict(zip(names, profile.utilities[voter].tolist(), strict=True))
        ballots.append(ballot)
    return ballots


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
