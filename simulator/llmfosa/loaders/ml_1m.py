"""MovieLens-1M: users.dat, movies.dat, and ratings.dat or a split that others have published."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from simulator.llmfosa.interactions import UserAttribute
from simulator.llmfosa.loaders.attributes import age_bands, gender
from simulator.llmfosa.loaders.events import (
    TEST,
    TRAIN,
    Events,
    Items,
    Users,
    distinct,
    locate,
    refuse_repeats,
    refuse_weak,
)
from simulator.llmfosa.loaders.pairs import read_parts
from simulator.llmfosa.loaders.reading import Ids, read_table, refuse

OCCUPATIONS = (
    "other or not specified",
    "academic/educator",
    "artist",
    "clerical/admin",
    "college/grad student",
    "customer service",
    "doctor/health care",
    "executive/managerial",
    "farmer",
    "homemaker",
    "K-12 student",
    "lawyer",
    "programmer",
    "retired",
    "sales/marketing",
    "scientist",
    "self-employed",
    "technician/engineer",
    "tradesman/craftsman",
    "unemployed",
    "writer",
)
_SPLIT = ("colakg_train.txt", "colakg_test.txt", "colakg_user_map.txt", "colakg_item_map.txt")


def read(folder: Path) -> Events:
    """The published 80/20 split where its four files are there (no ratings in it), else all of ratings.dat."""
    users, items = _users(folder / "users.dat"), _movies(folder / "movies.dat")
    files = [folder / name for name in _SPLIT]
    if any(path.exists() for path in files[:2]):
        missing = [path for path in files if not path.exists()]
        if missing:
            refuse(missing[0], None, f"is missing; the published split is {', '.join(_SPLIT)}")
        train, test, user_map, item_map = files
        return _published(read_parts({TRAIN: train, TEST: test}, user_map, item_map), users, items, files)
    if not (folder / "ratings.dat").exists():
        refuse(folder / "ratings.dat", None, f"is missing; put it there, or the published split {', '.join(_SPLIT)}")
    table = read_table(
        folder / "ratings.dat",
        ("user", "item", "rating", "time"),
        texts=("user", "item"),
        numbers=("rating", "time"),
        separator="::",
        encoding="latin-1",
    )
    rows, columns = locate(table, "user", users.ids, "users.dat"), locate(table, "item", items.ids, "movies.dat")
    refuse_repeats(table, rows, columns, len(items.ids))
    refuse_weak(table, "rating")
    return Events(users, items, rows, columns, table.numbers["rating"], table.numbers["time"])


def _published(events: Events, users: Users, items: Items, files: list[Path]) -> Events:
    """The split's own order of users and items, with what users.dat and movies.dat say of them."""
    _, _, user_map, item_map = files
    at = _positions(user_map, events.users.ids, users.ids, "users.dat")
    attributes = {name: UserAttribute(value.values, value.codes[at]) for name, value in users.attributes.items()}
    which = _positions(item_map, events.items.ids, items.ids, "movies.dat")
    titles, genres = tuple(items.titles[i] for i in which), tuple(items.genres[i] for i in which)
    return replace(events, users=Users(events.users.ids, attributes), items=Items(events.items.ids, titles, genres))


def _positions(path: Path, ids: Ids, known: Ids, where: str) -> NDArray[np.int64]:
    """Where the originals of a map stand among the known ids."""
    found = pd.Index(known, dtype=object).get_indexer(pd.Index(ids, dtype=object)).astype(np.int64)
    if (found < 0).any():
        refuse(path, None, f"'{ids[int(np.argmax(found < 0))]}' is not in {where}")
    return found


def _users(path: Path) -> Users:
    table = read_table(
        path,
        ("user", "gender", "age", "occupation", "zip"),
        texts=("user", "gender"),
        numbers=("age", "occupation"),
        separator="::",
        encoding="latin-1",
    )
    jobs = table.numbers["occupation"]
    table.refuse(~np.isin(jobs, np.arange(len(OCCUPATIONS))), "occupation must be a whole number of 0 to 20")
    return Users(
        distinct(table, "user"),
        {
            "gender": gender(table),
            "age": age_bands(table.numbers["age"]),
            "occupation": UserAttribute(OCCUPATIONS, jobs.astype(np.int64)),
        },
    )


def _movies(path: Path) -> Items:
    table = read_table(
        path,
        ("item", "title", "genres"),
        texts=("item", "title", "genres"),
        separator="::",
        encoding="latin-1",
    )
    genres = tuple(tuple(filter(None, text.split("|"))) for text in table.texts["genres"])
    return Items(distinct(table, "item"), tuple(table.texts["title"]), genres)
