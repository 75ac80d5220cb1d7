"""The cells of a sweep: every combination of the values that are varied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from simulator.inputs.yamlfile import InputError, Problem

MOST_CELLS = 100_000
MOST_SEEDS = 100_000


@dataclass(frozen=True, slots=True)
class Cell:
    """One run of a sweep.

    Attributes:
        number: counts from 1, in the order of the axes, the last one fastest.
        values: by axis, what it takes here; the axis `seed` is a number, all others texts as a scenario file has them.
    """

    number: int
    values: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Its folder's name."""
        return f"{self.number:04d}"


@dataclass(frozen=True, slots=True)
class Grid:
    """Axes and their values."""

    axes: Mapping[str, tuple[Any, ...]]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every combination, in the order of the axes."""
        combinations = product(*self.axes.values())
        return tuple(
            Cell(number, dict(zip(self.axes, values, strict=True)))
            for number, values in enumerate(combinations, start=1)
        )


def grid(mediators: Sequence[str] = (), vary: Sequence[str] = (), seeds: Sequence[int] = ()) -> Grid:
    """The grid of a sweep; what is not varied stays as the scenario has it.

    Args:
        mediators: names or calls.
        vary: `KEY=[VALUE, VALUE]` for any key of the scenario, the list as in YAML.
        seeds: roots of the random draws.

    Raises:
        InputError: an axis twice, without values, or with a value twice; or more than `MOST_CELLS` cells.
    """
    axes: dict[str, tuple[Any, ...]] = {}
    problems: list[Problem] = []

    def add(place: str, key: str, values: Sequence[Any]) -> None:
        twice = [value for value, times in Counter(values).items() if times > 1]
        if key in axes:
            problems.append(Problem(place, f"'{key}' is varied already"))
        elif not values:
            problems.append(Problem(place, "has no values"))
        elif twice:
            problems.append(Problem(place, f"has the value {twice[0]!r} twice"))
        else:
            axes[key] = tuple(values)

    if mediators:
        add("--mediator", "mediator", mediators)
    for setting in vary:
        key, values = _values(setting, problems)
        if key:
            add(f"--vary {setting}", key, values)
    if seeds:
        add("--seeds", "seed", seeds)
    size = 1
    for taken in axes.values():
        size *= len(taken)
    if size > MOST_CELLS:
        problems.append(Problem("sweep", f"has {size} cells; at most {MOST_CELLS} are run"))
    if problems:
        raise InputError(problems)
    return Grid(axes)


def parse_seeds(text: str) -> list[int]:
    """Seeds from `1-5,9`.

    Raises:
        InputError: it cannot be read, or names more than `MOST_SEEDS`.
    """
    seeds: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()) or len(first) > 18 or len(last) > 18:
            raise InputError([Problem(f"--seeds {text}", f"'{part.strip()}' is no seed; write 1,2,3 or 1-5")])
        start, end = int(first), int(last) if dash else int(first)
        if end < start or end - start >= MOST_SEEDS:
            raise InputError([Problem(f"--seeds {text}", f"'{part.strip()}' is no range from low to high")])
        seeds += range(start, end + 1)
    return seeds


def _values(setting: str, problems: list[Problem]) -> tuple[str, list[str]]:
    """The key, and the values as texts that a setting takes."""
    import yaml

    key, equals, text = setting.partition("=")
    place = f"--vary {setting}"
    try:
        values = yaml.safe_load(text) if equals else None
    except (yaml.YAMLError, ValueError) as error:
        problems.append(Problem(place, f"its list cannot be read: {' '.join(str(error).split())[:200]}"))
        return "", []
    if not key.strip() or not isinstance(values, list):
        problems.append(Problem(place, "needs KEY=[VALUE, VALUE], such as k=[1, 3]"))
        return "", []
    if key.strip() in ("seed", "mediator"):
        remedy = "--seeds" if key.strip() == "seed" else "--mediator"
        problems.append(Problem(place, f"is varied by {remedy}"))
        return "", []
    form: dict[str, Any] = {"default_flow_style": True, "width": 10_000, "allow_unicode": True, "sort_keys": False}
    written = [yaml.safe_dump(value, **form).removesuffix("...\n").strip() for value in values]
    return key.strip(), written
