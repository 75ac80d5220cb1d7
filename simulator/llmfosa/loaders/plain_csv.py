"""Plain CSV: interactions.csv (user,item[,rating][,time]), users.csv and items.csv."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from simulator.inputs.csvfile import CsvError, read_csv
from simulator.inputs.nearest import nearest
from simulator.inputs.yamlfile import InputError, Problem
from simulator.llmfosa.interactions import UserAttribute
from simulator.llmfosa.loaders.attributes import of_column
from simulator.llmfosa.loaders.events import (
    Events,
    Items,
    Users,
    distinct,
    in_order,
    locate,
    refuse_repeats,
    refuse_weak,
)
from simulator.llmfosa.loaders.reading import Ids, Table, as_numbers, refuse


def read(folder: Path) -> Events:
    """Every line of interactions.csv; users.csv and items.csv, where they are there, must know all of its ids."""
    table = _table(folder / "interactions.csv", ("user", "item"), numbers=("rating", "time"))
    for column in ("user", "item"):
        table.refuse(table.texts[column] == "", f"{column} is empty; every line needs one")
    users, items = folder / "users.csv", folder / "items.csv"
    who = read_users(users) if users.exists() else Users(in_order(table.texts["user"]))
    what = read_items(items) if items.exists() else Items(in_order(table.texts["item"]))
    rows, columns = locate(table, "user", who.ids, "users.csv"), locate(table, "item", what.ids, "items.csv")
    refuse_repeats(table, rows, columns, len(what.ids))
    if "rating" in table.numbers:
        refuse_weak(table, "rating")
    return Events(who, what, rows, columns, table.numbers.get("rating"), table.numbers.get("time"))


def read_users(path: Path, order: Ids | None = None) -> Users:
    """A column `user` and one column an attribute: `gender` as F and M, `age` in years, others as they are.

    Args:
        path: The file.
        order: The users wanted, in this order; the attributes of those who are not in the file are not known.
    """
    table = _table(path, ("user",), numbers=())
    attributes = {name: of_column(table, name) for name in table.texts if name != "user"}
    ids = distinct(table, "user")
    if order is None:
        return Users(ids, attributes)
    at = pd.Index(ids).get_indexer(pd.Index(order))
    kept = {
        name: UserAttribute(value.values, np.where(at < 0, -1, value.codes[at])) for name, value in attributes.items()
    }
    return Users(order, kept)


def read_items(path: Path, order: Ids | None = None) -> Items:
    """Columns `item`, and `title` and `genres` (with | between) where they are there."""
    table = _table(path, ("item",), numbers=())
    ids = distinct(table, "item")
    at = np.arange(len(ids)) if order is None else pd.Index(ids).get_indexer(pd.Index(order))
    titles = table.texts.get("title", ids)
    shelves = table.texts.get("genres", np.full(len(ids), "", dtype=object))
    wanted = ids if order is None else order
    return Items(
        wanted,
        tuple(str(titles[i]) if i >= 0 else str(own) for i, own in zip(at, wanted, strict=True)),
        tuple(tuple(filter(None, shelves[i].split("|"))) if i >= 0 else () for i in at),
    )


def _table(path: Path, needed: Sequence[str], numbers: Sequence[str]) -> Table:
    """The columns of a CSV file with a header; those in `numbers` become numbers where they are there."""
    try:
        rows = read_csv(path)
    except CsvError as error:
        raise InputError([Problem(f"{path}:{line}", message) for line, message in error.faults]) from None
    if rows.faults:
        line, message = rows.faults[0]
        refuse(path, line, message)
    for name in needed:
        if name not in rows.header:
            refuse(path, 1, f"has no column '{name}'{nearest(name, list(rows.header))}")
    lines = np.array([line for line, _ in rows.rows], dtype=np.int64)
    for line, row in rows.rows:
        if any("\0" in text for text in row):
            refuse(path, line, "holds a NUL byte, which is no text")
    texts = {
        name: np.array([row[at].strip() for _, row in rows.rows], dtype=object) for at, name in enumerate(rows.header)
    }
    return Table(
        path,
        lines,
        {name: column for name, column in texts.items() if name not in numbers},
        {name: as_numbers(path, lines, name, column) for name, column in texts.items() if name in numbers},
    )
