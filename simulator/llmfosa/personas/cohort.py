"""Whom an inference is about, and what of them is shown."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from simulator.inputs.nearest import nearest
from simulator.inputs.yamlfile import InputError, Problem
from simulator.llmfosa.interactions import Interactions
from simulator.llmfosa.personas.quoting import quoted, short_title
from simulator.seeds import generator

_LIKED = {"ml-": "movies", "lastfm": "artists"}


def chosen_rows(data: Interactions, users: int | Sequence[str] | None, seed: int) -> list[int]:
    """Rows of the users that are judged, in the data's order; drawn without a look at any attribute.

    Args:
        data: The interactions.
        users: How many are drawn by the seed, the ids of those that are wanted, or None for all.
        seed: Where they are drawn from.

    Raises:
        InputError: Fewer than one, or an id that the data do not know.
    """
    total = len(data.users)
    if users is None:
        return list(range(total))
    if isinstance(users, int):
        if users < 1:
            raise InputError([Problem("users", f"must be at least 1, found {users}")])
        drawn = generator(seed, "llmfosa", "infer", "users").permutation(total)[:users]
        return sorted(int(row) for row in drawn)
    place = {user: row for row, user in enumerate(data.users)}
    missing = [user for user in users if user not in place]
    if missing:
        hint = nearest(missing[0], list(data.users))
        raise InputError([Problem("users", f"{data.name} has no user {missing[0]!r}{hint}")])
    return sorted({place[user] for user in users})


def plain_titles(data: Interactions, items: Sequence[int]) -> list[str]:
    """Quoted titles for models that weigh: the words alone."""
    names = data.titles or data.items
    return [line for line in (quoted(short_title(names[item])) for item in items) if line]


def detailed_titles(data: Interactions, items: Sequence[int]) -> list[str]:
    """Quoted titles for models that write: with years and genres."""
    names = data.titles or data.items
    lines = (quoted(names[item], data.genres[item] if data.genres else ()) for item in items)
    return [line for line in lines if line]


def fitting(titles: Sequence[str], tokens: int | None) -> list[str]:
    """The first titles that have, at the very most, so many tokens together; all of them for None.

    A token is taken to have two ASCII characters, where English has three or four, or one byte of any other script.
    """
    if tokens is None:
        return list(titles)
    ends = itertools.accumulate(_most_tokens(title) for title in titles)
    return [title for title, end in zip(titles, ends, strict=True) if end <= tokens]


def liked_things(data: Interactions) -> str:
    """What users of these data like, in a word."""
    return next((liked for start, liked in _LIKED.items() if data.name.startswith(start)), "titles")


def _most_tokens(title: str) -> int:
    plain = sum(map(str.isascii, title))
    return 1 + (plain + 1) // 2 + len(title.encode("utf-8", errors="replace")) - plain
