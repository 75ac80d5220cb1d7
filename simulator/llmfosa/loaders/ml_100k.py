"""MovieLens-100k: u.data, u.user and u.item as published, or RecBole's atomic files of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from simulator.llmfosa.loaders import recbole
from simulator.llmfosa.loaders.attributes import age_bands, gender, named
from simulator.llmfosa.loaders.events import Events, Items, Users, distinct, locate, refuse_repeats, refuse_weak
from simulator.llmfosa.loaders.reading import read_table

GENRES = (
    "unknown",
    "Action",
    "Adventure",
    "Animation",
    "Children's",
    "Comedy",
    "Crime",
    "Documentary",
    "Drama",
    "Fantasy",
    "Film-Noir",
    "Horror",
    "Musical",
    "Mystery",
    "Romance",
    "Sci-Fi",
    "Thriller",
    "War",
    "Western",
)


def read(folder: Path) -> Events:
    """Every rating; which of both forms is there is seen from the names of the files."""
    atomic = folder / "ml-100k.inter"
    if atomic.exists() and not (folder / "u.data").exists():
        return recbole.read_files(atomic)
    table = read_table(
        folder / "u.data",
        ("user", "item", "rating", "time"),
        texts=("user", "item"),
        numbers=("rating", "time"),
    )
    users, items = _users(folder / "u.user"), _movies(folder / "u.item")
    rows, columns = locate(table, "user", users.ids, "u.user"), locate(table, "item", items.ids, "u.item")
    refuse_repeats(table, rows, columns, len(items.ids))
    refuse_weak(table, "rating")
    return Events(users, items, rows, columns, table.numbers["rating"], table.numbers["time"])


def _users(path: Path) -> Users:
    table = read_table(
        path,
        ("user", "age", "gender", "occupation", "zip"),
        texts=("user", "gender", "occupation"),
        numbers=("age",),
        separator="|",
        encoding="latin-1",
    )
    attributes = {
        "gender": gender(table),
        "age": age_bands(table.numbers["age"]),
        "occupation": named(table.texts["occupation"]),
    }
    return Users(distinct(table, "user"), attributes)


def _movies(path: Path) -> Items:
    """Nineteen columns of 0 and 1 say which genres a movie has."""
    table = read_table(
        path,
        ("item", "title", "released", "video", "address", *GENRES),
        texts=("item", "title"),
        numbers=GENRES,
        separator="|",
        encoding="latin-1",
    )
    flags = np.column_stack([table.numbers[genre] for genre in GENRES])
    table.refuse(np.asarray(~np.isin(flags, (0, 1)).all(axis=1)), "the 19 genres must be 0 or 1 each")
    genres = tuple(tuple(GENRES[at] for at in np.flatnonzero(row) if at) for row in flags)
    return Items(distinct(table, "item"), tuple(table.texts["title"]), genres)
