"""A JSON list of objects that remember their line, so that a message can name it."""

from __future__ import annotations

import json
import re
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")


class JsonRowsError(ValueError):
    """Text that is not a JSON list of objects.

    Attributes:
        line: where.
        message: why.
    """

    def __init__(self, line: int, message: str) -> None:
        self.line = line
        self.message = message
        super().__init__(message)


def json_rows(text: str) -> list[tuple[int, dict[str, Any]]]:
    """Every object of a JSON list with the line that it starts in.

    Raises:
        JsonRowsError: the text is something else.
    """
    decoder = json.JSONDecoder()
    rows: list[tuple[int, dict[str, Any]]] = []
    line, counted = 1, 0
    at = _skip(text, 0)
    if text[at : at + 1] != "[":
        raise JsonRowsError(_line(text, at), "must be a JSON list of objects, [{...}, {...}]")
    at = _skip(text, at + 1)
    more = text[at : at + 1] != "]"
    while more:
        line, counted = line + text.count("\n", counted, at), at
        try:
            row, at = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise JsonRowsError(error.lineno, f"is not JSON: {error.msg}") from None
        except (RecursionError, ValueError) as error:  # nested too deeply, or a number of too many digits
            raise JsonRowsError(line, f"cannot be read: {error}") from None
        if not isinstance(row, dict):
            raise JsonRowsError(line, f"must be an object, the file being a list of them (found {repr(row)[:60]})")
        rows.append((line, row))
        at = _skip(text, at)
        more = text[at : at + 1] == ","
        at = _skip(text, at + 1) if more else at
    if text[at : at + 1] != "]":
        raise JsonRowsError(_line(text, at), "is not JSON: Expecting ',' or ']'")
    end = _skip(text, at + 1)
    if end < len(text):
        raise JsonRowsError(_line(text, end), "is not JSON: Extra data after the list")
    return rows


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
