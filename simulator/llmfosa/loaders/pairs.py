"""Lines of `user item item ...`, in parts, with maps from the original ids to the ones in use."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd

from simulator.llmfosa.loaders.events import TEST, TRAIN, VALID, Events, Items, Users, in_order, locate
from simulator.llmfosa.loaders.plain_csv import read_items, read_users
from simulator.llmfosa.loaders.reading import Ids, Table, read_bytes, refuse

_HEADERS = {("org_id", "remap_id"), ("original", "index")}


def read(folder: Path) -> Events:
    """train.txt and, where there are some, test.txt, valid.txt, user_map.txt, item_map.txt, users.csv, items.csv."""
    parts = {TRAIN: folder / "train.txt", TEST: folder / "test.txt", VALID: folder / "valid.txt"}
    events = read_parts(
        {part: path for part, path in parts.items() if part == TRAIN or path.exists()},
        _if_there(folder / "user_map.txt"),
        _if_there(folder / "item_map.txt"),
    )
    users, items = folder / "users.csv", folder / "items.csv"
    if users.exists():
        events = replace(events, users=read_users(users, events.users.ids))
    if items.exists():
        events = replace(events, items=read_items(items, events.items.ids))
    return events


def read_parts(files: dict[int, Path], user_map: Path | None, item_map: Path | None) -> Events:
    """Interactions whose users and items carry their original ids, in the order of the maps.

    Raises:
        InputError: An id that is not in the map, a pair that stands twice, also in two parts.
    """
    tables = {part: read_lines(path) for part, path in files.items()}
    users = _ids([table.texts["user"] for table in tables.values()], user_map)
    items = _ids([table.texts["item"] for table in tables.values()], item_map)
    rows, columns, parts = [], [], []
    seen = np.array([], dtype=np.int64)
    for part, table in tables.items():
        row = locate(table, "user", users[1], f"{user_map.name if user_map else 'the users'}")
        column = locate(table, "item", items[1], f"{item_map.name if item_map else 'the items'}")
        keys = row * len(items[1]) + column
        both = np.asarray(pd.Series(np.concatenate([seen, keys])).duplicated())[len(seen) :]
        table.refuse(both, "item {found} stands twice for this user, here or in another part", "item")
        seen = np.concatenate([seen, keys])
        rows.append(row)
        columns.append(column)
        parts.append(np.full(len(row), part, dtype=np.int64))
    return Events(
        Users(users[0]),
        Items(items[0]),
        np.concatenate(rows),
        np.concatenate(columns),
        parts=np.concatenate(parts) if len(files) > 1 else None,
    )


def read_lines(path: Path) -> Table:
    """One row for every item of every line; a line with a user and no item brings none."""
    content = _text(path)
    lines = [line.split() for line in content.split("\n")]
    filled = [(number, line) for number, line in enumerate(lines, 1) if line]
    counts = np.array([len(line) - 1 for _, line in filled], dtype=np.int64)
    if not counts.sum():
        refuse(path, 1, "has no interactions; a line is: user item item ...")
    users = np.array([line[0] for _, line in filled], dtype=object)
    numbers = np.array([number for number, _ in filled], dtype=np.int64)
    items = np.array(list(chain.from_iterable(line[1:] for _, line in filled)), dtype=object)
    return Table(path, np.repeat(numbers, counts), {"user": np.repeat(users, counts), "item": items}, {})


def _text(path: Path) -> str:
    content = read_bytes(path)
    if b"\0" in content:
        refuse(path, 1 + content.count(b"\n", 0, content.index(b"\0")), "holds a NUL byte, which is no text")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        refuse(path, 1 + content.count(b"\n", 0, error.start), "is not UTF-8 text; save it as UTF-8")


def _ids(found: list[Ids], path: Path | None) -> tuple[Ids, Ids]:
    """(original ids, ids in use), in the order of the ids in use."""
    if path is None:
        ids = in_order(np.concatenate(found))
        return ids, ids
    lines = [(number, line.split()) for number, line in enumerate(_text(path).split("\n"), 1) if line.strip()]
    if lines and tuple(lines[0][1]) in _HEADERS:
        lines = lines[1:]
    for number, line in lines:
        if len(line) != 2:
            refuse(path, number, f"has {len(line)} word{'s' if len(line) != 1 else ''}; a line is: original index")
    if not lines:
        refuse(path, 1, "has no rows; a line is: original index")
    columns = {name: np.array([line[at] for _, line in lines], dtype=object) for at, name in enumerate(("id", "index"))}
    table = Table(path, np.array([number for number, _ in lines], dtype=np.int64), columns, {})
    for name in columns:
        table.refuse(np.asarray(pd.Series(columns[name]).duplicated()), f"{name} {{found}} stands twice", name)
    used = in_order(columns["index"])
    order = pd.Index(columns["index"]).get_indexer(pd.Index(used))
    return columns["id"][order], used


def _if_there(path: Path) -> Path | None:
    return path if path.exists() else None
