"""RecBole's atomic files: *.inter, *.user and *.item, tab separated, with a header of `name:type`."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from simulator.inputs.nearest import nearest
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
from simulator.llmfosa.loaders.reading import Ids, Table, parse_table, read_bytes, refuse

_TYPES = ("token", "token_seq", "float", "float_seq")
_TITLES = ("movie_title", "title", "name", "item_name")
_GENRES = ("class", "genre", "genres", "categories")
_NO_ATTRIBUTES = ("user_id", "zip_code", "zip")


def read(folder: Path) -> Events:
    """The folder's one *.inter file, and the *.user and *.item files beside it where they are there."""
    found = sorted(folder.glob("*.inter"))
    if len(found) != 1:
        refuse(folder, None, f"holds {len(found)} files *.inter; it needs exactly one")
    return read_files(found[0])


def read_files(path: Path) -> Events:
    """`<name>.inter` with user_id, item_id, and rating and timestamp where there are such columns."""
    table = _table(path, ("user_id", "item_id"), ("rating", "timestamp"))
    users, items = path.with_suffix(".user"), path.with_suffix(".item")
    for column in ("user_id", "item_id"):
        table.refuse(table.texts[column] == "", f"{column} is empty; every line needs one")
    who = _users(users) if users.exists() else Users(in_order(table.texts["user_id"]))
    what = _items(items) if items.exists() else Items(in_order(table.texts["item_id"]))
    rows, columns = locate(table, "user_id", who.ids, users.name), locate(table, "item_id", what.ids, items.name)
    refuse_repeats(table, rows, columns, len(what.ids))
    if "rating" in table.numbers:
        refuse_weak(table, "rating")
    return Events(who, what, rows, columns, table.numbers.get("rating"), table.numbers.get("timestamp"))


def _users(path: Path) -> Users:
    table = _table(path, ("user_id",), ())
    attributes = {name: of_column(table, name) for name in table.texts if name not in _NO_ATTRIBUTES}
    return Users(distinct(table, "user_id"), attributes)


def _items(path: Path) -> Items:
    table = _table(path, ("item_id",), ())
    ids = distinct(table, "item_id")
    title = next((name for name in _TITLES if name in table.texts), None)
    genre = next((name for name in _GENRES if name in table.texts), None)
    titles = ids if title is None else _dated(table.texts[title], table.texts.get("release_year"))
    genres = tuple(tuple(text.split()) for text in table.texts[genre]) if genre else ()
    return Items(ids, tuple(map(str, titles)), genres)


def _dated(titles: Ids, years: Ids | None) -> Ids:
    """Titles with the year behind, as MovieLens writes them."""
    if years is None:
        return titles
    pairs = zip(titles, years, strict=True)
    return np.array([f"{title} ({year})" if year else title for title, year in pairs], dtype=object)


def _table(path: Path, needed: tuple[str, ...], numbers: tuple[str, ...]) -> Table:
    """A file's columns by the names in its header; those in `numbers` become numbers where they are there."""
    content = read_bytes(path).removeprefix(b"\xef\xbb\xbf")
    head = content.split(b"\n", 1)[0].decode("utf-8", "replace").rstrip("\r").split("\t")
    names = []
    for field in head:
        name, colon, kind = field.partition(":")
        if not colon or kind not in _TYPES:
            refuse(path, 1, f"the header's {field[:80]!r} is not name:type with one of {', '.join(_TYPES)}")
        names.append(name)
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            refuse(path, 1, f"column '{name}' stands twice")
    for name in needed:
        if name not in names:
            refuse(path, 1, f"has no column '{name}'{nearest(name, names)}")
    present = [name for name in numbers if name in names]
    texts = [name for name in names if name not in numbers]
    return parse_table(path, content, names, texts, present, start=2)
