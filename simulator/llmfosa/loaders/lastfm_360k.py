"""LastFM-360K: who played which artist how often, and the users' profiles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from simulator.llmfosa.interactions import UserAttribute
from simulator.llmfosa.loaders.attributes import age_bands, ages, gender, named
from simulator.llmfosa.loaders.events import Events, Items, Users, distinct
from simulator.llmfosa.loaders.reading import Table, parse_table, read_blocks, read_table

PLAYS = "usersha1-artmbid-artname-plays.tsv"
PROFILE = "usersha1-profile.tsv"
_BLOCK = 1 << 26
_MOST_PLAYS = 10**9
_AGES = (1, 110)  # what lies outside of these years was not meant seriously


def read(folder: Path) -> Events:
    """Strengths are plays; an artist is its MusicBrainz id, or its name where it has none.

    Lines of a user and an artist that stand twice, as the published file has them, are added up; lines without plays
    are left out. The plays are read in blocks of lines, so that the file's text is never in memory as a whole.
    """
    users = _profiles(folder / PROFILE)
    index = pd.Index(users.ids)
    artists: dict[str, int] = {}
    titles: list[str] = []
    parts = []
    first = 1
    for block in read_blocks(folder / PLAYS, _BLOCK):
        table = parse_table(
            folder / PLAYS,
            block,
            ("user", "artist", "name", "plays"),
            ("user", "artist", "name"),
            ("plays",),
            first=first,
        )
        first += block.count(b"\n")
        parts.append(_block(table, index, artists, titles))
    rows, columns, plays = (np.concatenate(part) for part in zip(*parts, strict=True))
    keys, at = np.unique(rows * len(artists) + columns, return_inverse=True)
    items = Items(np.array(list(artists), dtype=object), tuple(titles), ())
    return Events(
        users, items, keys // len(artists), keys % len(artists), np.bincount(at, weights=plays).astype(np.float64)
    )


def _block(
    table: Table, users: pd.Index[str], artists: dict[str, int], titles: list[str]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Positions and plays of a block; artists seen for the first time are added."""
    plays = table.numbers["plays"]
    table.refuse((plays < 0) | (plays > _MOST_PLAYS), f"plays must be within 0 and {_MOST_PLAYS}")
    codes, own = pd.factorize(table.texts["user"])
    rows = users.get_indexer(pd.Index(own, dtype=object))[codes].astype(np.int64)
    table.refuse(rows < 0, f"user {{found}} is not in {PROFILE}", "user")
    names = table.texts["name"]
    ids = np.where(table.texts["artist"] == "", names, table.texts["artist"])
    table.refuse(ids == "", "has neither an artist's id nor a name")
    codes, own = pd.factorize(ids)
    places = np.empty(len(own), dtype=np.int64)
    firsts = pd.Series(codes).drop_duplicates().index
    for place, (artist, at) in enumerate(zip(own, firsts, strict=True)):
        if artist not in artists:
            artists[artist] = len(titles)
            titles.append(str(names[at]) or str(artist))
        places[place] = artists[artist]
    played = plays > 0
    return rows[played], places[codes][played], plays[played]


def _profiles(path: Path) -> Users:
    table = read_table(
        path,
        ("user", "gender", "age", "country", "signup"),
        texts=("user", "gender", "age", "country"),
    )
    years = ages(table)
    years[(years < _AGES[0]) | (years > _AGES[1])] = np.nan
    attributes: dict[str, UserAttribute] = {
        "gender": gender(table),
        "age": age_bands(years),
        "country": named(table.texts["country"]),
    }
    return Users(distinct(table, "user"), attributes)
