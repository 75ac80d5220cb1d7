"""What stands above the ballots of a PrefLib file: the alternatives' names and how many ballots there should be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from simulator.inputs.nearest import nearest

Fault = tuple[int, str]  # line, message
Line = tuple[int, str]  # its number, and its text without surrounding space

MODIFICATIONS = ("original", "induced", "imbued", "synthetic")

_NAME = re.compile(r"(ALTERNATIVE|CATEGORY) NAME (\S+)")
_COUNT = re.compile(r"[0-9]{1,17}")
_TOTALS = (
    "NUMBER ALTERNATIVES",
    "NUMBER VOTERS",
    "NUMBER UNIQUE ORDERS",
    "NUMBER UNIQUE PREFERENCES",
    "NUMBER CATEGORIES",
)


@dataclass(frozen=True)
class Header:
    """The header of one file.

    Attributes:
        numbers: the alternatives' numbers as the ballots write them, in the header's order.
        names: the alternatives' names in the same order; a name that stands twice is told apart by its number, as in
            `Smith (alternative 3)`.
        categories: how many categories a .cat ballot has at most.
        voters: how many voters there are, with the line that says so; None if none does.
        distinct: how many different ballots there are, likewise.
        separator: what stands between a ballot's count and its order.
        faults: what is wrong with it.
    """

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    categories: int
    voters: tuple[int, int] | None
    distinct: tuple[int, int] | None
    separator: str
    faults: tuple[Fault, ...]


def read_header(lines: Sequence[Line], form: str) -> Header:
    """The header that `# KEY: VALUE` lines make.

    Args:
        lines: the lines that start with `#`.
        form: the format that the file's name promises.
    """
    faults: list[Fault] = []
    totals: dict[str, tuple[int, int]] = {}
    named: dict[str, dict[str, Line]] = {"ALTERNATIVE": {}, "CATEGORY": {}}
    countable = True  # whether it makes sense to compare the number of alternatives with that of their names
    for line, text in lines:
        key, colon, value = text.lstrip("#").partition(":")
        key, value = key.strip(), value.strip()
        if not colon:
            continue
        if name := _NAME.fullmatch(key):
            kind, number = name.groups()
            if not _COUNT.fullmatch(number):
                countable = False
                faults.append((line, f"{kind} NAME needs a number, found {_shown(number)}"))
            elif number in named[kind]:
                countable = False
                first = named[kind][number][0]
                faults.append((line, f"{kind} NAME {number} stands twice (first in line {first})"))
            else:
                named[kind][number] = (line, value)
        elif key in _TOTALS:
            if _COUNT.fullmatch(value):
                totals[key] = (int(value), line)
            else:
                countable = countable and key != "NUMBER ALTERNATIVES"
                faults.append((line, f"{key} must be a whole number, found {_shown(value)}"))
        elif key == "DATA TYPE" and value != form:
            faults.append((line, f"DATA TYPE is {_shown(value)}, but the file's name ends in .{form}"))
        elif key == "MODIFICATION TYPE" and value and value.casefold() not in MODIFICATIONS:
            hint = nearest(value, list(MODIFICATIONS))
            faults.append((line, f"MODIFICATION TYPE {_shown(value)} is not known{hint}"))
    alternatives = named["ALTERNATIVE"]
    faults += [(line, f"alternative {number} has no name") for number, (line, name) in alternatives.items() if not name]
    if countable:
        faults += _count_faults(totals.get("NUMBER ALTERNATIVES"), alternatives)
    if form == "cat" and "NUMBER CATEGORIES" not in totals:
        faults.append((1, "the header lacks NUMBER CATEGORIES, which a .cat file needs"))
    return Header(
        numbers=tuple(alternatives),
        names=_told_apart([(number, name) for number, (_, name) in alternatives.items()]),
        categories=totals.get("NUMBER CATEGORIES", (0, 0))[0],
        voters=totals.get("NUMBER VOTERS"),
        distinct=totals.get("NUMBER UNIQUE ORDERS", totals.get("NUMBER UNIQUE PREFERENCES")),
        separator=":",
        faults=tuple(sorted(faults)),
    )


def read_old_header(lines: Sequence[Line]) -> tuple[Header, int]:
    """The header of files from before 2022, and how many lines it takes.

    The first line is the number m of alternatives, the next m are `number,name`, then one is `voters,sum,distinct`.
    """
    line, text = lines[0]
    count = int(text) if _COUNT.fullmatch(text) else 0
    if not count or len(lines) < count + 2:
        message = f"says {_shown(text)} alternatives, but the names and the line 'voters,sum,distinct' do not follow"
        return Header((), (), 0, None, None, ",", ((line, message),)), len(lines)
    faults: list[Fault] = []
    named: dict[str, str] = {}
    for line, text in lines[1 : count + 1]:
        number, comma, name = (part.strip() for part in text.partition(","))
        if not comma or not _COUNT.fullmatch(number) or not name or number in named:
            faults.append((line, f"must be 'number,name' of an alternative, every number once; found {_shown(text)}"))
        named[number] = name
    line, text = lines[count + 1]
    totals = [part.strip() for part in text.split(",")]
    if len(totals) != 3 or not all(map(_COUNT.fullmatch, totals)):
        faults.append((line, f"must be 'voters,sum,distinct', three whole numbers; found {_shown(text)}"))
        totals = ["0"] * 3
    voters, distinct = (int(totals[1]), line), (int(totals[2]), line)
    names = _told_apart(list(named.items()))
    return Header(tuple(named), names, 0, voters, distinct, ",", tuple(faults)), count + 2


def _count_faults(total: tuple[int, int] | None, named: dict[str, Line]) -> list[Fault]:
    if total is None:
        return [(1, "the header lacks NUMBER ALTERNATIVES; is this a PrefLib file?")]
    count, line = total
    if count == 0:
        return [(line, "NUMBER ALTERNATIVES is 0; a profile needs at least one")]
    if count != len(named):
        return [(line, f"NUMBER ALTERNATIVES is {count}, but {len(named)} have an ALTERNATIVE NAME line")]
    return []


def _told_apart(named: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    names = [name for _, name in named]
    if len(set(names)) == len(names):
        return tuple(names)
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
    return tuple(name if seen[name] == 1 else f"{name} (alternative {number})" for number, name in named)


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")
