"""What a file of interactions says before it is split: who, what, how strongly, when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from simulator.llmfosa.interactions import UserAttribute
from simulator.llmfosa.loaders.reading import Table

TRAIN, TEST, VALID = 0, 1, 2
_LEAST, _MOST = 1e-30, 1e30


@dataclass(frozen=True, eq=False)
class Items:
    """The catalogue: ids, titles and genres, position by position."""

    ids: NDArray[np.object_]
    titles: tuple[str, ...] = ()
    genres: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, eq=False)
class Users:
    """The users: ids and attributes by name, position by position."""

    ids: NDArray[np.object_]
    attributes: Mapping[str, UserAttribute] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Events:
    """E interactions of known users with known items.

    Attributes:
        users: Who there is.
        items: What there is.
        rows: `(E,)` positions among the users.
        columns: `(E,)` positions among the items.
        strengths: `(E,)` numbers > 0, or None where every interaction counts 1.
        seconds: `(E,)` times, or None.
        parts: `(E,)` TRAIN, TEST or VALID as the files say, or None where no split is given.
    """

    users: Users
    items: Items
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    strengths: NDArray[np.float64] | None = None
    seconds: NDArray[np.float64] | None = None
    parts: NDArray[np.int64] | None = None


def locate(table: Table, column: str, known: NDArray[np.object_], where: str) -> NDArray[np.int64]:
    """Positions of a column's ids among the known ones.

    Raises:
        InputError: One of them is not known; `where` says which file lists them.
    """
    import pandas as pd

    codes, own = pd.factorize(table.texts[column])
    found = pd.Index(known, dtype=object).get_indexer(pd.Index(own, dtype=object))[codes].astype(np.int64)
    table.refuse(found < 0, f"{column} {{found}} is not in {where}", column)
    return found


def distinct(table: Table, column: str) -> NDArray[np.object_]:
    """A column of ids, each of which may stand once and none of which may be empty."""
    import pandas as pd

    ids = table.texts[column]
    table.refuse(ids == "", f"{column} is empty; every line needs one")
    table.refuse(np.asarray(pd.Series(ids).duplicated()), f"{column} {{found}} stands twice", column)
    return ids


def refuse_repeats(table: Table, rows: NDArray[np.int64], columns: NDArray[np.int64], n_items: int) -> None:
    """Raise an InputError where a pair of user and item stands twice in one file."""
    import pandas as pd

    repeated = np.asarray(pd.Series(rows * n_items + columns).duplicated())
    table.refuse(repeated, "this pair of user and item stands twice; keep one of the lines")


def refuse_weak(table: Table, column: str) -> None:
    """Raise an InputError where a strength is not greater than 0, or no number of 32 bits."""
    numbers = table.numbers[column]
    table.refuse(numbers < _LEAST, f"{column} must be greater than 0; without the column every line counts 1")
    table.refuse(numbers > _MOST, f"{column} must be at most {_MOST:g}")


def in_order(ids: NDArray[np.object_]) -> NDArray[np.object_]:
    """The different ids: as numbers if all are whole numbers, else as text."""
    import pandas as pd

    different = pd.unique(ids)
    if all(text.isascii() and text.isdigit() and len(text) < 19 for text in different):
        return np.asarray(sorted(different, key=lambda text: (int(text), text)), dtype=object)
    return np.asarray(sorted(different), dtype=object)
