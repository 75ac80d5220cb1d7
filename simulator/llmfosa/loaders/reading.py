"""A file of lines with a separator as columns, checked line by line so that a message can name the place."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from simulator.inputs.yamlfile import InputError, Problem

Flags = NDArray[np.bool_]
Ids = NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Table:
    """Rows of a file by column.

    Attributes:
        path: The file.
        lines: `(rows,)` the line in which each row stands.
        texts: Columns of text by name.
        numbers: Columns of finite float64 by name.
    """

    path: Path
    lines: NDArray[np.int64]
    texts: Mapping[str, NDArray[np.object_]]
    numbers: Mapping[str, NDArray[np.float64]]

    def refuse(self, wrong: Flags, message: str, column: str | None = None) -> None:
        """Raise an InputError that names the first row flagged as wrong, if there is one.

        Args:
            wrong: `(rows,)` flags.
            message: What would be right; `{found}` stands for the row's text in `column`.
            column: The text column whose value is shown.
        """
        if not wrong.any():
            return
        row = int(np.argmax(wrong))
        found = repr(str(self.texts[column][row])[:80]) if column else ""
        more = int(wrong.sum()) - 1
        tail = f" (and {more} more line{'s' if more > 1 else ''})" if more else ""
        refuse(self.path, int(self.lines[row]), message.replace("{found}", found) + tail)


def refuse(path: Path, line: int | None, message: str) -> NoReturn:
    """Raise an InputError at a place of a file."""
    raise InputError([Problem(str(path) if line is None else f"{path}:{line}", message)])


def read_bytes(path: Path) -> bytes:
    """The content of a file that is there and not empty.

    Raises:
        InputError: It cannot be opened, or holds nothing.
    """
    return next(read_blocks(path, None))


def read_blocks(path: Path, size: int | None) -> Iterator[bytes]:
    """The content in blocks of about `size` bytes that end where a line ends; None takes it at once."""
    try:
        with path.open("rb") as file:
            rest, empty = b"", True
            while block := file.read(-1 if size is None else size):
                cut = len(block) if size is None else block.rfind(b"\n") + 1
                if cut:
                    yield rest + block[:cut]
                    rest, empty = b"", False
                rest += block[cut:]
            if rest.strip():
                yield rest
            elif empty:
                refuse(path, None, "is empty; it needs at least one line")
    except OSError as error:
        refuse(path, None, f"cannot be read: {error.strerror or error}; the file has to be there")


def read_table(
    path: Path,
    columns: Sequence[str],
    *,
    texts: Sequence[str] = (),
    numbers: Sequence[str] = (),
    separator: str = "\t",
    encoding: str = "utf-8",
    header: bool = False,
) -> Table:
    """The columns `texts` and `numbers` of a file whose lines all hold `columns`; quotes mean nothing.

    Raises:
        InputError: The file is missing or empty, holds NUL bytes or bytes of another encoding, a line has another
            number of fields, or a number is none.
    """
    content = read_bytes(path)
    return parse_table(path, content, columns, texts, numbers, separator, encoding, start=2 if header else 1)


def parse_table(
    path: Path,
    content: bytes,
    columns: Sequence[str],
    texts: Sequence[str],
    numbers: Sequence[str],
    separator: str = "\t",
    encoding: str = "utf-8",
    *,
    first: int = 1,
    start: int = 1,
) -> Table:
    """As `read_table` of a content that begins with line `first` of the file and whose rows begin with line `start`."""
    _check_letters(path, content, encoding, first)
    content = content.rstrip(b"\r\n")
    if len(separator) > 1:  # pandas reads single separators many times faster
        if b"\t" in content:
            refuse(
                path, first + content.count(b"\n", 0, content.index(b"\t")), f"holds a tab; fields end with {separator}"
            )
        content = content.replace(separator.encode("ascii"), b"\t")
        separator_byte, shown = b"\t", separator
    else:
        separator_byte, shown = separator.encode("ascii"), "tab" if separator == "\t" else separator
    skipped = max(0, start - first)
    _check_fields(
        path, content, separator_byte, len(columns), f"{', '.join(columns)} with {shown} between", first, skipped
    )
    frame = pd.read_csv(
        io.BytesIO(content),
        sep=separator_byte.decode("ascii"),
        names=list(columns),
        header=None,
        usecols=[*texts, *numbers],
        dtype=dict.fromkeys(texts, object),
        skiprows=skipped,
        na_filter=False,
        quoting=csv.QUOTE_NONE,
        encoding=encoding,
        encoding_errors="replace",
        skip_blank_lines=False,
        lineterminator="\n",
        low_memory=False,
    )
    lines = np.arange(len(frame), dtype=np.int64) + first + skipped
    values = {name: np.asarray(frame[name], dtype=object) for name in texts}
    if len(frame) and content.find(b"\r") >= 0:
        values = {name: np.asarray(frame[name].str.removesuffix("\r"), dtype=object) for name in texts}
    return Table(path, lines, values, {name: _as_numbers(path, lines, name, frame[name]) for name in numbers})


def as_numbers(path: Path, lines: NDArray[np.int64], name: str, texts: Any) -> NDArray[np.float64]:
    """Finite numbers from a column of text; an InputError names the first line that holds none."""
    return _as_numbers(path, lines, name, pd.Series(texts, dtype=object))


def _as_numbers(path: Path, lines: NDArray[np.int64], name: str, column: Any) -> NDArray[np.float64]:
    if column.dtype.kind in "iuf":
        values = np.asarray(column, dtype=np.float64)
    else:
        values = np.asarray(pd.to_numeric(column.astype(str), errors="coerce"), dtype=np.float64)
    wrong = ~np.isfinite(values)
    if wrong.any():
        row = int(np.argmax(wrong))
        refuse(path, int(lines[row]), f"{name} must be a number (found {str(column.iloc[row])[:80]!r})")
    return values


def _check_letters(path: Path, content: bytes, encoding: str, first: int) -> None:
    position = content.find(b"\0")
    if position >= 0:
        line = first + content.count(b"\n", 0, position)
        refuse(path, line, "holds a NUL byte, which is no text; take a whole and unpacked copy of the file")
    if encoding == "utf-8":
        try:
            content.decode("utf-8")
        except UnicodeDecodeError as error:
            line = first + content.count(b"\n", 0, error.start)
            refuse(path, line, f"is not UTF-8 text (byte 0x{content[error.start]:02x}); save it as UTF-8")


def _check_fields(
    path: Path, content: bytes, separator: bytes, wanted: int, words: str, first: int, skipped: int
) -> None:
    """Count the separators of every line after the skipped ones."""
    letters = np.frombuffer(content, dtype=np.uint8)
    ends = np.append(np.flatnonzero(letters == ord("\n")), len(letters))
    places = np.flatnonzero(letters == ord(separator))
    fields = np.diff(np.searchsorted(places, ends), prepend=0) + 1
    if len(fields) <= skipped:
        refuse(path, first, "has no rows; it needs at least one line of data")
    wrong = fields != wanted
    wrong[:skipped] = False
    if wrong.any():
        row = int(np.argmax(wrong))
        count = int(fields[row])
        refuse(path, first + row, f"has {count} field{'s' if count != 1 else ''}; a line holds {wanted}: {words}")
