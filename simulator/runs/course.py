"""The world's state over a run: the arrays that its dynamics maintain, reckoned again from what was delivered."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from simulator.metrics.gini import gini
from simulator.profile import Bools, Floats, Ints
from simulator.runs.setting import Setting, mapping
from simulator.state import WorldState

if TYPE_CHECKING:
    from simulator.runs.run import Run

MOST_NUMBERS = 4_000_000  # of an array, over rounds and items
LEAST_MOMENTS = 50
_UNITS = {
    "capacity": "share of its places",
    "crowding": "visits, decaying",
    "exposure": "attention, 1 / log2(1 + place) a delivery",
    "shortfall": "deliveries that its group lacks",
}


@dataclass(frozen=True)
class Course:
    """The state before the first round and after each, or after some of them, evenly spread, in a long run.

    Attributes:
        items: names of the N items.
        moments: `(s,)` after which round each state stood; 0 = before the first.
        arrays: by name, `(s, N)`; nan where unknown.
        units: what the values of each array are.
        delivered: how many rounds delivered each item, `(N,)`.
        drawable: which items can be drawn, `(N,)`.
        coordinates: longitude and latitude, `(2, N)`, nan where blank; None without such columns.
    """

    items: tuple[str, ...]
    moments: Ints
    arrays: Mapping[str, Floats]
    units: Mapping[str, str]
    delivered: Ints
    drawable: Bools
    coordinates: Floats | None

    def inequality(self, array: str) -> Floats:
        """Gini coefficient `(s,)` of an array over the items that can be drawn and whose value is known.

        nan while all are 0, and throughout for an array that is negative somewhere.
        """
        values = self.arrays[array][:, self.drawable]
        values = values[:, ~np.isnan(values).any(axis=0)]
        if not values.size or (values < 0).any():
            return np.full(len(self.moments), math.nan)
        return np.where(values.any(axis=1), gini(values), math.nan)


def course(run: Run) -> Course | None:
    """The course of a run's world; None if the run does not say enough about its catalogue.

    `arrays` is empty where dynamics are missing, are a user's own code, or do not give the values that were logged.
    """
    setting = run.setting
    if setting is None or setting.catalogue is None or "slate" not in run.rounds:
        return None
    catalogue = setting.catalogue
    slates = [_rows(slate, catalogue.index) for slate in run.rounds["slate"]]
    counts = Counter(row for slate in slates for row in slate.tolist())
    delivered = np.array([counts[row] for row in range(len(catalogue))], dtype=np.int64)
    most = max(MOST_NUMBERS // len(catalogue), LEAST_MOMENTS)
    moments = np.unique(np.linspace(0, len(slates), min(len(slates) + 1, most)).round().astype(np.int64))
    kept = set(moments.tolist())
    try:
        states = [(number, state) for number, state in _states(setting, slates) if number in kept]
    except (ValueError, KeyError):  # the catalogue was changed after the run
        states = []
    names = list(states[-1][1].items) if states else []
    arrays = {name: np.array([state.items[name] for _, state in states]) for name in names}
    if not _as_logged(run, arrays, moments, catalogue.index):
        arrays = {}
    drawable = np.zeros(len(catalogue), dtype=np.bool_)
    drawable[setting.drawable] = True
    return Course(
        catalogue.ids, moments, arrays, _units(setting, names), delivered, drawable, _coordinates(setting)
    )  # fmt: skip


def _states(setting: Setting, slates: list[Ints]) -> Iterator[tuple[int, WorldState]]:
    dynamics = setting.dynamics
    if not dynamics:
        return
    assert setting.catalogue is not None
    state = WorldState()
    for dynamic in dynamics:
        state = dynamic.start(setting.catalogue, state)
    yield 0, state
    for number, slate in enumerate(slates, start=1):
        for dynamic in dynamics:
            state = dynamic.evolve(state, slate)
        yield number, state


def _rows(slate: object, index: Mapping[str, int]) -> Ints:
    names = slate.split("|") if isinstance(slate, str) else []
    return np.array([index[name] for name in names if name in index], dtype=np.int64)


def _as_logged(run: Run, arrays: Mapping[str, Floats], moments: Ints, index: Mapping[str, int]) -> bool:
    """Whether the arrays hold what the log says of the delivered items."""
    at = {int(number): place for place, number in enumerate(moments)}
    for event in run.events("evolve") if arrays else ():
        for name, values in mapping(event.get("arrays")).items():
            if event["round"] not in at or name not in arrays:
                continue
            row = arrays[name][at[event["round"]]]
            for item, logged in mapping(values).items():
                known = item in index and isinstance(logged, int | float) and not math.isnan(logged)
                if known and not math.isclose(row[index[item]], logged, rel_tol=1e-6, abs_tol=1e-9):
                    return False
    return True


def _units(setting: Setting, names: list[str]) -> dict[str, str]:
    """What the scenario says of an attribute that is the array itself, else what its dynamic is known to count."""
    from simulator.registry import RegistryError, split_spec

    units = {}
    for dynamic in setting.dynamics or ():
        kind = type(dynamic).__name__.lower()
        units.update({name: _UNITS[kind] for name in dynamic.arrays() if kind in _UNITS})
    attributes = mapping(mapping(setting.keys.get("catalogue")).get("attributes"))
    for attribute in attributes.values():
        derive, unit = mapping(attribute).get("derive"), mapping(attribute).get("unit")
        if not unit or not isinstance(derive, str | dict):
            continue
        try:
            kind, params = split_spec("derivation", derive)
        except RegistryError:
            continue
        if kind == "state":
            units[str(params.get("array"))] = str(unit)
    return {name: units.get(name, "") for name in names}


def _coordinates(setting: Setting) -> Floats | None:
    from simulator.catalogue import CatalogueError

    assert setting.catalogue is not None
    if not {"latitude", "longitude"} <= set(setting.catalogue.columns):
        return None
    try:
        found = np.array([setting.catalogue.numbers("longitude"), setting.catalogue.numbers("latitude")])
    except CatalogueError:
        return None
    return found if (~np.isnan(found)).all(axis=0).any() else None
