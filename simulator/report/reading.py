"""Reading events and keys that a user's own agent, or a hand, may have filled with anything."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def text(event: Mapping[str, Any], key: str) -> str:
    """A text of an event; empty if there is none."""
    value = event.get(key)
    return value if isinstance(value, str) else ""


def names(value: object) -> list[str]:
    """A list's members as texts; none of what is no list."""
    return [str(entry) for entry in value] if isinstance(value, list | tuple) else []


def listed(value: object) -> list[Any]:
    """A list; an empty one of what is none."""
    return list(value) if isinstance(value, list | tuple) else []


def mapping(value: object) -> Mapping[str, Any]:
    """A mapping; an empty one of what is none."""
    return value if isinstance(value, Mapping) else {}


def real(value: object) -> float:
    """A number; nan of what is none."""
    return float(value) if isinstance(value, int | float) else math.nan


def figure(value: object) -> str:
    """A number in four digits; a dash of what is none."""
    known = real(value)
    return "-" if math.isnan(known) else f"{known:.4g}"
