"""Validate a scenario file's keys and say, for each fault, where it is, what was found and what would be right."""

from __future__ import annotations

import copy
import re
from collections.abc import Collection
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from simulator.inputs.nearest import nearest
from simulator.inputs.wording import in_words
from simulator.inputs.yamlfile import KeyPath, Problem, YamlFile
from simulator.scenario import schema

Pattern = tuple[str | None, ...]  # None stands for any key or index

_SECTIONS: tuple[tuple[Pattern, type[BaseModel]], ...] = (
    ((), schema.ScenarioFile),
    (("catalogue",), schema.CatalogueSection),
    (("catalogue", "candidates"), schema.CandidatesSection),
    (("catalogue", "attributes", None), schema.AttributeSection),
    (("requests",), schema.RequestsSection),
    (("requests", "membership"), schema.MembershipSection),
    (("requests", "wishes", None, None), schema.WishSection),
    (("stakeholders", None), schema.StakeholderSection),
    (("prices",), schema.PricesSection),
    (("starvation",), schema.StarvationSection),
)
# What stands in for a required key, or for an element of a list, whose own value is missing or wrong.
_STAND_INS: tuple[tuple[Pattern, Any], ...] = (
    (("title",), "?"),
    (("catalogue",), {"file": "?", "id": "?", "attributes": {"?": {}}}),
    (("catalogue", "file"), "?"),
    (("catalogue", "id"), "?"),
    (("catalogue", "attributes"), {"?": {}}),
    (("catalogue", "attributes", None), {}),
    (("catalogue", "candidates", "complete", None), "?"),
    (("requests", "file"), "?"),
    (("requests", "membership", "file"), "?"),
    (("requests", "facts", None), "?"),
    (("requests", "wishes", None), {}),
    (("requests", "wishes", None, None), None),
    (("requests", "wishes", None, None, "attribute"), "?"),
    (("stakeholders",), [{"name": "?", "objective": {}}]),
    (("stakeholders", None), {"name": "?", "objective": {}}),
    (("stakeholders", None, "name"), "?"),
    (("stakeholders", None, "objective"), {}),
    (("stakeholders", None, "tools", None), "?"),
    (("dynamics", None), "?"),
    (("metrics", None), "?"),
)
_WHOLE: tuple[Pattern, ...] = (
    ("prices",),
    ("catalogue", "attributes", None, "scale"),
)  # wrong in part, wrong as a whole


def validate(source: YamlFile, problems: list[Problem]) -> tuple[schema.ScenarioFile, set[KeyPath]] | None:
    """The validated keys and the keys that are wrong, with every fault appended to `problems`.

    A wrong key that is optional is taken out, anything else gets a stand-in, and the rest is validated again, so that
    the checks which follow (names, data files) can report their problems in the same go; they leave alone what stands
    at or below a wrong key. None if nothing of the file can be used.
    """
    data: Any = copy.deepcopy(source.data)
    wrong = set(source.unread)
    problems += source.faults
    for _ in range(20):
        try:
            return schema.ScenarioFile.model_validate(data), wrong
        except ValidationError as error:
            faults = [(_key(detail, data), detail) for detail in error.errors()]
        meant = {(*key[:-1], close) for key, detail in faults if (close := _meant(key, detail)) is not None}
        for key, detail in faults:
            if not covered(key, wrong) and not (detail["type"] == "missing" and key in meant):
                problems.append(Problem(source.place(key), _message(detail, key)))
        for key, detail in sorted(faults, key=lambda fault: -len(fault[0])):
            _repair(data, key, detail["type"] == "extra_forbidden", wrong)
    return None


def covered(key: KeyPath, wrong: Collection[KeyPath]) -> bool:
    """Whether a key, or one above it, is among the wrong ones."""
    return any(key[:depth] in wrong for depth in range(len(key) + 1))


def _key(detail: ErrorDetails, data: Any) -> KeyPath:
    """The part of pydantic's location that exists in the file; union members and the like are dropped."""
    key: list[str | int] = []
    here: Any = data
    for part in detail["loc"]:
        inside_list = isinstance(here, list) and isinstance(part, int) and part < len(here)
        if inside_list or (isinstance(here, dict) and part in here):
            here = here[part]
            key.append(part)
        elif detail["type"] == "missing" and part == detail["loc"][-1]:
            key.append(part)
    return tuple(key)


def _meant(key: KeyPath, detail: ErrorDetails) -> str | None:
    """The known key that an unknown one is close to."""
    if detail["type"] != "extra_forbidden":
        return None
    hint = re.search(r"did you mean '(.*)'", nearest(str(key[-1]), _known(key[:-1])))
    return hint[1] if hint else None


def _message(detail: ErrorDetails, key: KeyPath) -> str:
    where = ".".join(str(part) for part in key)
    if detail["type"] == "extra_forbidden":
        if "=" in str(key[-1]):
            return f"unknown key '{where}'; a call with commas needs quotes inside {{ }}"
        return f"unknown key '{where}'{nearest(str(key[-1]), _known(key[:-1]), limit=40)}"
    if detail["type"] == "missing":
        return f"key '{where}' is missing"
    return f"'{where}' {in_words(detail)}"


def _known(section: KeyPath) -> list[str]:
    return next((list(model.model_fields) for pattern, model in _SECTIONS if _matches(pattern, section)), [])


def _matches(pattern: Pattern, key: KeyPath) -> bool:
    return len(pattern) == len(key) and all(p is None or p == k for p, k in zip(pattern, key, strict=True))


def _repair(data: Any, key: KeyPath, unknown: bool, wrong: set[KeyPath]) -> None:
    """Take the value of a wrong key out, or put a stand-in there, and remember the key unless it is merely unknown."""
    for depth in range(1, len(key)):
        if any(_matches(pattern, key[:depth]) for pattern in _WHOLE):
            key = key[:depth]
            break
    if not unknown:
        wrong.add(key)
    parent = data
    for part in key[:-1]:
        parent = parent[part]
    for pattern, stand_in in _STAND_INS:
        if _matches(pattern, key):
            parent[key[-1]] = copy.deepcopy(stand_in)
            return
    if key and isinstance(parent, dict):
        parent.pop(key[-1], None)
