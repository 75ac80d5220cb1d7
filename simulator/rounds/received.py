"""What a stakeholder's code hands in, checked: whatever it is, the rest of the round can rely on the result."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from simulator.faults import restrict
from simulator.profile import LARGEST, Proposal, Ranking
from simulator.table import Candidates, Response

Counts = dict[str, int]
Said = TypeVar("Said", Proposal, Response)
_LONGEST_REPR = 200
_LARGEST_COUNT = 2**53  # of JSON and pandas


def checked_proposal(said: object, candidates: Candidates) -> tuple[Proposal, Counts]:
    """A proposal about the candidates alone, and the faults and repairs that this took.

    Items that are not on the table are dropped; utilities that are not numbers from 0 to `LARGEST` are dropped
    altogether, and so are fairness and compatibility unless they lie in 0..1.

    Raises:
        TypeError: it is no proposal, or a part of it has the wrong type.
    """
    if not isinstance(said, Proposal) or not isinstance(said.ranking, Ranking):
        raise TypeError(f"expected a Proposal with a Ranking, got {_shown(said)}")
    kept, dropped = restrict(_checked(said), candidates.index)
    found: Counts = {"unknown_items": dropped} if dropped else {}
    if kept.utilities is not None and not _are_utilities(kept.utilities):
        kept = replace(kept, utilities=None)
        found["malformed"] = 1
    if not (_is_share(kept.fairness) and _is_share(kept.compatibility)):
        kept = replace(kept, fairness=None, compatibility=None)
        found["malformed"] = 1
    if found:
        found["partial_ballots"] = 1
    return kept, found


def checked_response(said: object, candidates: Candidates) -> Response:
    """A response whose ballot is about the candidates alone; faults of the ballot are counted with the response.

    Raises:
        TypeError: it is no response, or a part of it has the wrong type.
    """
    if not isinstance(said, Response) or said.verdict not in ("accept", "revise"):
        raise TypeError(f"expected a Response that says accept or revise, got {_shown(said)}")
    said = _checked(said)
    if said.proposal is None:
        return said
    proposal, found = checked_proposal(said.proposal, candidates)
    if said.proposal.ranking.tiers and not proposal.ranking.tiers:
        found |= {"partial_ballots": 0, "last_ballots": 1}  # nothing usable in it: the earlier ballot stands
        return replace(said, proposal=None, faults=added(said.faults, found))
    return replace(said, proposal=proposal, faults=added(said.faults, found))


def added(faults: Mapping[str, int], found: Mapping[str, int]) -> Counts:
    """Both counts together, without zeros."""
    names = [*faults, *(name for name in found if name not in faults)]
    sums = {name: faults.get(name, 0) + found.get(name, 0) for name in names}
    return {name: count for name, count in sums.items() if count}


def _checked(said: Said) -> Said:
    """The same with details that JSON can hold, after a check of everything else that the log takes over as it is."""
    counts: tuple[int, ...] = (said.prompt_tokens, said.completion_tokens, said.calls)
    if not (isinstance(said.faults, Mapping) and isinstance(said.details, Mapping)):
        raise TypeError("'faults' and 'details' must be mappings")
    if any(type(count) is not int or not 0 <= count <= _LARGEST_COUNT for count in (*said.faults.values(), *counts)):
        raise TypeError("faults, tokens and calls must be whole numbers of at least 0")
    if not isinstance(said.argument, str):
        raise TypeError(f"'argument' must be a text, not {_shown(said.argument)}")
    return said if _is_json(said.details) else replace(said, details=jsonable(said.details))


def _are_utilities(utilities: Mapping[str, float]) -> bool:
    try:
        lowest, highest = (pick(utilities.values(), default=0) for pick in (min, max))
        return lowest >= 0 and highest <= LARGEST and math.isfinite(sum(utilities.values()))
    except (TypeError, ValueError):
        return False


def _is_share(share: object) -> bool:
    return share is None or (isinstance(share, int | float) and 0 <= share <= 1)


def _is_json(value: Any) -> bool:
    kind = type(value)
    if kind is dict:
        return all(type(key) is str for key in value) and all(map(_is_json, value.values()))
    if kind is int:
        return bool(abs(value) <= _LARGEST_COUNT)
    return all(map(_is_json, value)) if kind is list else value is None or kind in (str, bool, float)


def jsonable(value: Any) -> Any:
    """The value as JSON's types; what JSON does not know as its `repr`, cut to 200 characters."""
    if value is None or isinstance(value, str | bool | float):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _LARGEST_COUNT else _shown(value)
    if isinstance(value, Mapping):
        return {str(key): jsonable(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(inner) for inner in value]
    return jsonable(value.tolist()) if hasattr(value, "tolist") else _shown(value)


def _shown(value: object) -> str:
    try:
        return repr(value)[:_LONGEST_REPR]
    except Exception:  # a class of the user's may fail at anything
        return type(value).__name__
