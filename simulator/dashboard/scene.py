"""The items' state at one moment, with their places on the map if the catalogue has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from simulator.catalogue import Catalogue, CatalogueError
from simulator.profile import Floats, Ints

if TYPE_CHECKING:
    from simulator.world import NegotiationWorld

_LATITUDES, _LONGITUDES = ("latitude", "lat"), ("longitude", "lon", "lng", "long")
_NOBODY = np.empty(0, dtype=np.int64)


@dataclass(frozen=True)
class Scene:
    """Items and what rounds have made of them.

    Attributes:
        round: after which round, 0 before the first.
        month: the calendar's; None in a world without one.
        ids: the N items.
        places: `(2, N)` longitudes and latitudes in degrees, nan where unknown; None if the catalogue has none.
        arrays: the dynamics' arrays `(N,)`, such as crowding.
        candidates, slate: rows of the last round's candidates and of those that it delivered.
    """

    round: int
    month: int | None
    ids: tuple[str, ...]
    places: Floats | None
    arrays: Mapping[str, Floats]
    candidates: Ints
    slate: Ints


def scene_of(world: NegotiationWorld) -> Scene:
    """The scene after a world's last finished round."""
    catalogue = world.scenario.catalogue
    shown = slate = _NOBODY
    if world.last is not None and world.table is not None:
        shown = np.array([catalogue.index[item] for item in world.table.candidates.ids], dtype=np.int64)
        slate = np.flatnonzero(world.last_delivered == world.last.round)
    number = 0 if world.last is None else world.last.round
    return Scene(number, world.state.month, catalogue.ids, places(catalogue), dict(world.state.items), shown, slate)


def places(catalogue: Catalogue) -> Floats | None:
    """`(2, N)` longitudes and latitudes; None without two such columns of numbers in degrees."""
    named = {column.strip().casefold(): column for column in catalogue.columns}
    pair = [next((named[name] for name in names if name in named), None) for names in (_LONGITUDES, _LATITUDES)]
    if pair[0] is None or pair[1] is None:
        return None
    try:
        found = np.array([catalogue.numbers(pair[0]), catalogue.numbers(pair[1])])
    except CatalogueError:
        return None
    beyond = np.abs(found) > np.array([[180.0], [90.0]])
    known = ~np.isnan(found).any(axis=0)
    return found if known.any() and not beyond.any() else None
