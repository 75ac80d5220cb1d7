"""The items on the table: a CSV file's rows as typed columns, and the attributes that objectives speak about."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np

from simulator.inputs.csvfile import CsvError, CsvFault, read_csv
from simulator.inputs.oneline import is_one_line
from simulator.profile import Floats, Ints, dense_ranks, positions
from simulator.registry import nearest

Normalisation = Literal["percentile", "minmax"] | tuple[float, float]
MISSING = 0.5
LARGEST = 1e300  # sums and differences of such numbers are still finite
_SMALLEST = np.finfo(np.float64).tiny


class CatalogueError(CsvError):
    """Faults of a catalogue file, each with its place.

    Attributes:
        path, faults: as in `CsvError`.
        rest: the rows that can be read, with those whose name is wrong, so that their columns can be checked in the
            same go; None if there are none.
        lost: how many rows `rest` does without.
    """

    def __init__(self, path: Path, faults: Sequence[CsvFault], rest: Catalogue | None = None, lost: int = 0) -> None:
        super().__init__(path, faults)
        self.rest = rest
        self.lost = lost


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something an objective can value.

    Attributes:
        name: its name in objectives.
        unit: of its values.
        direction: which way is usually good; for display and wording alone (the sign lives in the objective).
        normalisation: `percentile` rank among the round's candidates, `minmax` among them, or a fixed (low, high).
        more, less: how a person says in words that they want much or little of it.
        labels: names of the levels 0, 1, ... of an ordinal scale; empty for numbers.
        private: whether its values are described to nobody.
    """

    name: str
    unit: str = ""
    direction: Literal["higher", "lower", "none"] = "none"
    normalisation: Normalisation = "percentile"
    more: str = ""
    less: str = ""
    labels: tuple[str, ...] = ()
    private: bool = False

    def phrase(self, sign: float) -> str:
        """The words for wanting more (sign > 0) or less of it."""
        wanted = self.more if sign > 0 else self.less
        return wanted or f"{'high' if sign > 0 else 'low'} {self.name.replace('_', ' ')}"


@dataclass(frozen=True)
class Catalogue:
    """The rows of a CSV file.

    Attributes:
        path: the file.
        ids: the items' names, one a row.
        columns: the text of every column, blanks as "".
        lines: the file's line of every row, for messages.
    """

    path: Path
    ids: tuple[str, ...]
    columns: Mapping[str, tuple[str, ...]]
    lines: tuple[int, ...] = field(repr=False, default=())

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def index(self) -> dict[str, int]:
        """Row of every item."""
        return {name: row for row, name in enumerate(self.ids)}

    @cached_property
    def _numbers(self) -> dict[str, Floats]:
        return {}

    def numbers(self, column: str) -> Floats:
        """A column as numbers `(N,)`, blanks as nan.

        Raises:
            CatalogueError: text, nan or infinity where a number should be, with every such line.
        """
        if column not in self._numbers:
            faults: list[CsvFault] = []
            values = np.full(len(self), math.nan)
            for row, text in enumerate(self.columns[column]):
                if not text.strip():
                    continue
                number = _number(text)
                if number is None or not abs(number) <= LARGEST:
                    wrong = "is not a number" if number is None else "is not a finite number"
                    message = f"column '{column}': {_short(text)} {wrong} (leave it blank if unknown)"
                    faults.append((self.lines[row], message))
                else:
                    values[row] = number
            if faults:
                raise CatalogueError(self.path, faults)
            self._numbers[column] = values
        return self._numbers[column]

    def check_numbers(self, columns: Sequence[str]) -> None:
        """Read several columns as numbers.

        Raises:
            CatalogueError: with the faults of all of them.
        """
        faults: list[CsvFault] = []
        for column in columns:
            try:
                self.numbers(column)
            except CatalogueError as error:
                faults += error.faults
        if faults:
            raise CatalogueError(self.path, faults)

    def levels(self, column: str, scale: Sequence[str]) -> Floats:
        """An ordinal column as levels 0, 1, ... `(N,)` of `scale`, blanks as nan.

        Raises:
            CatalogueError: a value that is not on the scale, with every such line.
        """
        known = {name: float(level) for level, name in enumerate(scale)}
        texts = [text.strip() for text in self.columns[column]]
        faults = [
            (line, f"column '{column}': {_short(text)} is not on the scale {' < '.join(scale)}")
            for line, text in zip(self.lines, texts, strict=True)
            if text and text not in known
        ]
        if faults:
            raise CatalogueError(self.path, faults)
        return np.array([known.get(text, math.nan) for text in texts])

    def complete(self, columns: Sequence[str]) -> Ints:
        """Rows that are blank in none of `columns`."""
        keep = [all(self.columns[column][row].strip() for column in columns) for row in range(len(self))]
        return np.flatnonzero(np.array(keep, dtype=np.bool_))


def read_catalogue(path: Path, id_column: str) -> Catalogue:
    """Read a CSV file (UTF-8, header in the first line) whose `id_column` names the items.

    Raises:
        CatalogueError: the file cannot be read or has no rows, no such column, a column twice, a row of another
            length, an item without a name, twice, or with a name that no slate or prompt can hold.
    """
    try:
        read = read_csv(path)
    except CsvError as error:
        raise CatalogueError(path, error.faults) from None
    if id_column not in read.header:
        hint = nearest(id_column, list(read.header), limit=40)
        raise CatalogueError(path, [(1, f"has no column '{id_column}' to name the items by{hint}"), *read.faults])
    place = read.header.index(id_column)
    names = tuple(row[place].strip() for _, row in read.rows)
    lines = tuple(line for line, _ in read.rows)
    columns = {name: tuple(row[at] for _, row in read.rows) for at, name in enumerate(read.header)}
    catalogue = Catalogue(path, names, columns, lines)
    faults = [*read.faults, *_name_faults(names, lines, id_column)]
    if faults:
        raise CatalogueError(path, sorted(faults, key=lambda fault: fault[0]), catalogue, read.lost)
    return catalogue


def _name_faults(names: Sequence[str], lines: Sequence[int], id_column: str) -> list[CsvFault]:
    first: dict[str, int] = {}
    faults: list[CsvFault] = []
    for name, line in zip(names, lines, strict=True):
        if not name:
            faults.append((line, f"has no '{id_column}' to name the item by"))
        elif name in first:
            faults.append((line, f"item {_short(name)} stands twice (first in line {first[name]})"))
        elif "|" in name:
            faults.append((line, f"item {_short(name)} contains '|', which separates the items of a slate"))
        elif not is_one_line(name):
            faults.append((line, f"item {_short(name)} contains a line break or a control character"))
        first.setdefault(name, line)
    return faults


def normalise(values: Floats, how: Sequence[Normalisation]) -> Floats:
    """Attribute values `(J, m)` of the round's candidates on [0, 1]; missing (nan) becomes 0.5.

    percentile: (average rank - 1) / (count - 1) from the smallest, ties share the average, among the known values;
    minmax: (x - min) / (max - min); fixed range: clipped to it. A constant attribute is 0.5 throughout, except in a
    fixed range.
    """
    ranked = np.array([row == "percentile" for row in how], dtype=np.bool_)
    result = np.full(values.shape, MISSING)
    result[ranked] = _percentiles(values[ranked])
    for place in np.flatnonzero(~ranked).tolist():
        row, kind = values[place], how[place]
        known = ~np.isnan(row)
        low, high = kind if isinstance(kind, tuple) else (np.nanmin(row), np.nanmax(row)) if known.any() else (0.0, 0.0)
        if high > low:
            result[place, known] = np.clip((row[known] - low) / (high - low), 0.0, 1.0)
    return result


def _percentiles(values: Floats) -> Floats:
    known = ~np.isnan(values)
    count = known.sum(axis=1, keepdims=True)
    places = positions(dense_ranks(np.where(known, -values, -np.inf))) - 1  # unknown ones stand last, out of the way
    return np.asarray(np.where(known & (count > 1), places / np.maximum(count - 1, 1), MISSING))


def utility(normalised: Floats, weights: Floats) -> Floats:
    """Utilities u = sum_j |w_j| n_j / sum_j |w_j| in [0, 1], where n_j is 1 - n_j for w_j < 0.

    Shapes: normalised `(J, m)`, weights `(J,)` or `(n, J)`, result `(m,)` or `(n, m)`. All-zero weights value nothing:
    0.5 for every item. Rounded to 12 decimals so that equal utilities are equal however they were added up.
    """
    scaled = weights / np.maximum(np.abs(weights).max(axis=-1, keepdims=True, initial=0.0), _SMALLEST)
    total = np.abs(scaled).sum(axis=-1, keepdims=True)
    negative = np.maximum(-scaled, 0.0).sum(axis=-1, keepdims=True)
    gained = scaled @ normalised + negative  # |w| n where w > 0, and |w| (1 - n) = w n + |w| where w < 0
    return np.asarray(np.round(np.where(total > 0, gained / np.where(total > 0, total, 1.0), MISSING), 12))


def _number(text: str) -> float | None:
    """A plain decimal number; Python's own `1_000` is none."""
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
