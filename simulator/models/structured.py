"""Answers in a wanted form, found among whatever else a model says."""

from __future__ import annotations

import json
from typing import TypeVar

from pydantic import BaseModel, ValidationError

MOST_OBJECTS = 20  # JSON objects of a reply that are tried

_DECODER = json.JSONDecoder()
Form = TypeVar("Form", bound=BaseModel)


def first_object(said: str, form: type[Form]) -> tuple[Form | None, ValidationError | None]:
    """The first JSON object in a text that has the form, whatever fences or words stand around it.

    Where none has it, None and what was wrong with the first object; twice None where there is no object at all.
    """
    wrong: ValidationError | None = None
    start = said.find("{")
    for _ in range(MOST_OBJECTS):
        if start < 0:
            break
        try:
            found, end = _DECODER.raw_decode(said, start)
        except (ValueError, RecursionError):
            start = said.find("{", start + 1)
            continue
        try:
            return form.model_validate(found), None
        except ValidationError as error:
            wrong = wrong or error
        start = said.find("{", end)
    return None, wrong
