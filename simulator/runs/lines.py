"""How rows and events become lines of CSV and JSON: the same data gives the same bytes on every Python."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from simulator.records import Event, Row


class RowLines:
    """Lines of one CSV file; the first row names the columns.

    Floats are written by `repr` and read back equal; nan and None are blank.
    """

    def __init__(self) -> None:
        self._columns: list[str] = []
        self._lines: list[str] = []
        # A field is quoted if it holds a character of the line end, so "\r\n" makes every Python quote both; see write.
        self._writer = csv.writer(self, lineterminator="\r\n")

    def write(self, line: str) -> None:
        """Take a line from the csv module, which ends it with both characters."""
        self._lines.append(line[:-2] + "\n")

    def add(self, rows: Iterable[Row]) -> None:
        """Add rows.

        Raises:
            ValueError: a row has other columns than the first one.
        """
        for row in rows:
            if not self._columns:
                self._columns = list(row)
                self._writer.writerow(self._columns)
            if len(row) != len(self._columns):
                raise ValueError(f"a row has the columns {', '.join(row)}; the first had {', '.join(self._columns)}")
            try:
                values = [row[column] for column in self._columns]
            except KeyError as missing:
                raise ValueError(f"a row lacks the column {missing}") from None
            self._writer.writerow([None if value != value else value for value in values])

    def take(self) -> str:
        """The lines since the last call."""
        text = "".join(self._lines)
        self._lines.clear()
        return text


def event_line(event: Event) -> bytes:
    """An event as one line of JSON in UTF-8, keys in the given order; nan and infinities are null."""
    try:
        return orjson.dumps(event, default=_plain, option=orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError:  # lone surrogates and numbers beyond 64 bits, which Python's own encoder can write
        return to_bytes(_ENCODER.encode(_finite(event)) + "\n")


def to_bytes(text: str) -> bytes:
    r"""UTF-8; a lone surrogate, which UTF-8 cannot hold, becomes its escape (`\ud83d`), which JSON reads back."""
    return text.encode("utf-8", "backslashreplace")


def _plain(value: Any) -> Any:
    """NumPy's arrays and numbers, and mappings of any kind, as JSON's types."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"an event holds a {type(value).__name__}, which JSON cannot: {value!r:.80}")


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(entry) for entry in value]
    return _finite(value.tolist()) if hasattr(value, "tolist") else value


_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":"), default=_plain
)
