"""From events to `Interactions`: the k-core, the split, and the matrices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from simulator.inputs.oneline import is_one_line
from simulator.inputs.yamlfile import InputError, Problem
from simulator.llmfosa.interactions import Interactions, UserAttribute
from simulator.llmfosa.loaders.events import TEST, TRAIN, VALID, Events
from simulator.llmfosa.matrices import sparse
from simulator.llmfosa.split import split, take_validation


def assemble(name: str, events: Events, place: str, *, seed: int, core: int = 0) -> Interactions:
    """Users and items with at least one interaction (or `core`), in the order of the events, split by file or by seed.

    Raises:
        InputError: Fewer than two users or items are left, or a user of the test part has no training interaction;
            `place` says where.
    """
    events = _crop(place, events, core)
    _refuse_breaks(place, events)
    shape = (len(events.users.ids), len(events.items.ids))
    strengths = np.ones(len(events.rows)) if events.strengths is None else events.strengths
    if events.parts is None:
        whole = sparse(events.rows, events.columns, strengths, shape)
        train, valid, test = split(whole, seed=seed)
    else:
        train, test, valid = (
            sparse(events.rows[at], events.columns[at], strengths[at], shape)
            for at in (events.parts == part for part in (TRAIN, TEST, VALID))
        )
        if not valid.nnz:
            valid, test = take_validation(test, seed=seed)
    times = None
    if events.seconds is not None:
        times = sparse(events.rows, events.columns, events.seconds, shape, dtype=np.float64)
    ids = tuple(map(str, events.items.ids))
    return Interactions(
        name=name,
        users=tuple(map(str, events.users.ids)),
        items=ids,
        train=train,
        valid=valid,
        test=test,
        titles=tuple(map(_one_line, events.items.titles)) or ids,
        genres=events.items.genres or ((),) * len(ids),
        attributes=dict(events.users.attributes),
        times=times,
    )


def _crop(place: str, events: Events, core: int) -> Events:
    """Leave out users and items with too few interactions until none has."""
    least = max(1, core)
    rows, columns = events.rows, events.columns
    kept = np.ones(len(rows), dtype=bool)
    while True:
        users = np.bincount(rows[kept], minlength=len(events.users.ids)) >= least
        items = np.bincount(columns[kept], minlength=len(events.items.ids)) >= least
        smaller = kept & users[rows] & items[columns]
        if smaller.sum() == kept.sum():
            break
        kept = smaller
    if min(users.sum(), items.sum()) < 2:
        found = f"{_counted(users, 'user')} and {_counted(items, 'item')} with enough interactions ({least} or more)"
        remedy = "; lower the core" if core > 1 else ""
        raise InputError([Problem(place, f"holds {found}; two of both are needed{remedy}")])
    if events.parts is not None:
        _refuse_unseen(place, events, kept)
    new_rows, new_columns = np.cumsum(users) - 1, np.cumsum(items) - 1
    where = np.flatnonzero(items)
    return replace(
        events,
        users=replace(
            events.users,
            ids=events.users.ids[users],
            attributes={
                key: UserAttribute(value.values, value.codes[users]) for key, value in events.users.attributes.items()
            },
        ),
        items=replace(
            events.items,
            ids=events.items.ids[items],
            titles=tuple(events.items.titles[at] for at in where) if events.items.titles else (),
            genres=tuple(events.items.genres[at] for at in where) if events.items.genres else (),
        ),
        rows=new_rows[rows[kept]],
        columns=new_columns[columns[kept]],
        strengths=None if events.strengths is None else events.strengths[kept],
        seconds=None if events.seconds is None else events.seconds[kept],
        parts=None if events.parts is None else events.parts[kept],
    )


def _counted(flags: NDArray[np.bool_], noun: str) -> str:
    count = int(flags.sum())
    return f"{count} {noun}{'s' if count != 1 else ''}"


def _refuse_breaks(place: str, events: Events) -> None:
    """Ids, values and genres go into tables and prompts, where each is a part of one line."""
    names: dict[str, Iterable[str]] = {
        "a user's id": events.users.ids,
        "an item's id": events.items.ids,
        "a genre": sorted({genre for genres in events.items.genres for genre in genres}),
        **{f"a value of '{key}'": value.values for key, value in events.users.attributes.items()},
    }
    for what, texts in names.items():
        broken = next((text for text in texts if not is_one_line(text)), None)
        if broken is not None:
            raise InputError(
                [Problem(place, f"{what} holds a control character or line break (found {broken[:80]!r})")]
            )


def _one_line(title: str) -> str:
    """A title as it fits into a line."""
    return title if is_one_line(title) else " ".join("".join(c if is_one_line(c) else " " for c in title).split())


def _refuse_unseen(place: str, events: Events, kept: NDArray[np.bool_]) -> None:
    """A user without training interactions cannot be recommended anything."""
    assert events.parts is not None
    n = len(events.users.ids)
    trained = np.bincount(events.rows[kept & (events.parts == TRAIN)], minlength=n) > 0
    tested = np.bincount(events.rows[kept & (events.parts != TRAIN)], minlength=n) > 0
    unseen = np.flatnonzero(tested & ~trained)
    if len(unseen):
        who = str(events.users.ids[unseen[0]])
        raise InputError([Problem(place, f"user '{who}' is in the test part but has no training interaction")])
