"""The items on the table as metrics see them: groups and numbers from columns of the catalogue, rows and places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from simulator.catalogue import Catalogue
from simulator.profile import Floats, Ints


@dataclass(frozen=True)
class Groups:
    """Items by group.

    Attributes:
        names: the G groups of the catalogue, sorted.
        codes: `(m,)` group of every candidate, -1 where the column is blank.
        catalogue: `(N,)` the same of every item of the catalogue.
    """

    names: tuple[str, ...]
    codes: Ints
    catalogue: Ints


class Columns:
    """The catalogue's columns, each read once for a whole run.

    Args:
        catalogue: the items.
        attributes: the column behind an attribute's name.
        scales: the levels of ordinal attributes, from low to high.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        attributes: Mapping[str, str] | None = None,
        scales: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self.catalogue = catalogue
        self._attributes = attributes or {}
        self._scales = scales or {}
        self._groups: dict[str, tuple[tuple[str, ...], Ints]] = {}
        self._numbers: dict[str, Floats] = {}

    def column(self, name: str) -> str:
        """The column of this name, or else the column behind the attribute of this name."""
        return name if name in self.catalogue.columns else self._attributes.get(name, name)

    def groups(self, name: str) -> tuple[tuple[str, ...], Ints]:
        """The groups' names, sorted, and the group `(N,)` of every item, -1 where the column is blank."""
        if name not in self._groups:
            texts = [text.strip() for text in self.catalogue.columns[self.column(name)]]
            names = tuple(sorted(set(texts) - {""}))
            place = {text: at for at, text in enumerate(names)}
            self._groups[name] = names, np.array([place.get(text, -1) for text in texts], dtype=np.int64)
        return self._groups[name]

    def numbers(self, name: str) -> Floats:
        """Numbers `(N,)`, levels 0, 1, ... for an ordinal attribute, nan where the column is blank."""
        if name not in self._numbers:
            scale = self._scales.get(name)
            column = self._attributes.get(name, name) if scale else self.column(name)
            read = self.catalogue.levels(column, scale) if scale else self.catalogue.numbers(column)
            self._numbers[name] = read
        return self._numbers[name]


def _no_columns() -> Columns:
    return Columns(Catalogue(Path(), (), {}))


@dataclass(frozen=True)
class Items:
    """The m candidates of a round.

    Attributes:
        ids: their names.
        normalised: `(J, m)` the attributes on [0, 1].
        columns: those of the whole catalogue.
    """

    ids: tuple[str, ...] = ()
    normalised: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    columns: Columns = field(default_factory=_no_columns)

    @cached_property
    def rows(self) -> Ints:
        """`(m,)` their rows in the catalogue."""
        index = self.columns.catalogue.index
        return np.array([index[name] for name in self.ids], dtype=np.int64)

    def groups(self, name: str) -> Groups:
        """The candidates by the text of a column."""
        names, codes = self.columns.groups(name)
        return Groups(names, codes[self.rows], codes)

    def numbers(self, name: str) -> Floats:
        """`(m,)` numbers of a column, nan where it is blank."""
        return self.columns.numbers(name)[self.rows]
