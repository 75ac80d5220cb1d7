"""What a rule remembers about every ballot, from one round to the next."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simulator.outcome import Memory
from simulator.profile import Floats


def recalled(memory: Memory | None, key: str, voters: Sequence[str], start: float) -> Floats:
    """The number `(n,)` that memory holds under `key` for each voter; `start` for one that is not in it.

    Raises:
        ValueError: memory holds something else than numbers by name.
    """
    held = {} if memory is None else memory.get(key, {})
    if not isinstance(held, Mapping):
        raise ValueError(f"memory: {key!r} must hold a number for each voter, found {type(held).__name__}")
    values = [held.get(voter, start) for voter in voters]
    for voter, value in zip(voters, values, strict=True):
        if not isinstance(value, int | float) or not math.isfinite(value):
            raise ValueError(f"memory: {key!r} of {voter!r} must be a finite number")
    return np.array(values, dtype=np.float64)


def remembered(memory: Memory | None, key: str, voters: Sequence[str], values: Floats) -> dict[str, Any]:
    """What memory holds under `key` once these voters have new numbers; those that are away keep theirs."""
    held = {} if memory is None else memory.get(key, {})
    return {**held, **dict(zip(voters, values.tolist(), strict=True))}


def nested(memory: Memory | None, key: str) -> Memory | None:
    """What memory holds for a rule inside a rule.

    Raises:
        ValueError: it is no mapping.
    """
    held = None if memory is None else memory.get(key)
    if held is not None and not isinstance(held, Mapping):
        raise ValueError(f"memory: {key!r} must hold what the inner rule remembers, found {type(held).__name__}")
    return held
