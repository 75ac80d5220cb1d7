"""What pydantic finds wrong with a value, in the words of this project's error messages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from simulator.inputs.nearest import nearest

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_WORDS = {
    "bool_parsing": "must be true or false",
    "bool_type": "must be true or false",
    "dict_type": "must be a mapping of keys to values",
    "finite_number": "must be a finite number",
    "float_parsing": "must be a number",
    "float_type": "must be a number",
    "int_from_float": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_type": "must be a whole number",
    "list_type": "must be a list, such as [first, second]",
    "model_type": "must be a mapping of keys to values",
    "string_type": "must be text",
    "tuple_type": "must be a list, such as [first, second]",
}


def in_words(detail: ErrorDetails) -> str:
    """What a value must be, what was found instead, and the remedy where there is one."""
    hint = ""
    if detail["type"] == "literal_error":
        allowed = [word.strip("'") for word in re.findall(r"'[^']*'|-?\d+", detail["ctx"]["expected"])]
        text, hint = f"must be one of {', '.join(allowed)}", nearest(str(detail["input"]), allowed, limit=0)
    else:
        own = detail["msg"].removeprefix("Value error, ").replace("Input should", "must")
        text = _WORDS.get(detail["type"], f"{own[:1].lower()}{own[1:]}")
    if detail["type"] == "string_type" and isinstance(detail["input"], bool | int | float | dict):
        hint = "; put it in quotes"
    return f"{text}{_found(detail['input'])}{hint}"


def _found(value: Any) -> str:
    """What stands there instead, if that fits into a message."""
    if isinstance(value, dict) and value:
        return ""
    shown = "nothing" if value is None else repr(value)
    return f" (found {shown if len(shown) <= 80 else f'{shown[:77]}...'})"
