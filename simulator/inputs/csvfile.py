"""A CSV file as rows of text that remember their line, so that a message can name it."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from simulator.inputs.textfile import TextError, read_text

CsvFault = tuple[int, str]  # line, message


class CsvError(ValueError):
    """Faults of a CSV file, each with its place.

    Attributes:
        path: the file.
        faults: (line, message) pairs in the file's order.
    """

    def __init__(self, path: Path, faults: Sequence[CsvFault]) -> None:
        self.path = path
        self.faults = tuple(faults)
        super().__init__("\n".join(f"{path}:{line}: {message}" for line, message in self.faults))


@dataclass(frozen=True, slots=True)
class CsvRows:
    """What a CSV file holds.

    Attributes:
        header: the columns' names, without surrounding space.
        rows: the rows that have as many fields as the header, each with the line that it starts in.
        lost: how many rows have another length.
        faults: columns that stand twice, and rows of another length.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[int, list[str]], ...]
    lost: int
    faults: tuple[CsvFault, ...]


def read_csv(path: Path) -> CsvRows:
    """Read a UTF-8 file with commas, double quotes and a header; blank lines do not count.

    Raises:
        CsvError: the file cannot be read, is not UTF-8 or not CSV, or has no header and no row.
    """
    try:
        text = read_text(path)
    except TextError as error:
        raise CsvError(path, [(error.line or 1, error.message)]) from None
    lines: list[tuple[int, list[str]]] = []
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    start = 1
    try:
        for row in reader:
            if row:
                lines.append((start, row))
            start = reader.line_num + 1
    except csv.Error as error:
        raise CsvError(path, [(start, f"is not CSV: {error}")]) from None
    if len(lines) < 2:
        raise CsvError(path, [(1, "has no rows; it needs a header line and at least one row")])
    (first, names), *body = lines
    header = tuple(name.strip() for name in names)
    faults = [(first, f"column '{name}' stands twice") for name in dict.fromkeys(header) if header.count(name) > 1]
    faults += [
        (line, f"has {len(row)} field{'s' if len(row) != 1 else ''}, the header has {len(header)}")
        for line, row in body
        if len(row) != len(header)
    ]
    rows = tuple((line, row) for line, row in body if len(row) == len(header))
    return CsvRows(header, rows, len(body) - len(rows), tuple(faults))
