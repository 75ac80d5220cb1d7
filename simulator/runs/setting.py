"""What a run folder keeps of its scenario: the keys that were in force, the catalogue, and the dynamics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from simulator.catalogue import Catalogue, CatalogueError
from simulator.dynamics.base import Dynamic
from simulator.profile import Ints


@dataclass(frozen=True)
class Setting:
    """A scenario as its run left it, for whoever looks back on the run; user code is not imported.

    Attributes:
        keys: the scenario file's keys, defaults included.
        base: the folder that its paths start from.
    """

    keys: Mapping[str, Any]
    base: Path

    @cached_property
    def catalogue(self) -> Catalogue | None:
        """The items; None if their file cannot be read or lies outside the folder."""
        from simulator.catalogue import read_catalogue

        section = mapping(self.keys.get("catalogue"))
        try:
            path = (self.base / str(section.get("file"))).resolve()
            inside = path.is_relative_to(self.base.resolve())
            return read_catalogue(path, str(section.get("id"))) if inside else None
        except (CatalogueError, OSError, ValueError):  # the last two: no path at all
            return None

    @cached_property
    def drawable(self) -> Ints:
        """Rows of the catalogue that can be drawn."""
        assert self.catalogue is not None
        candidates = mapping(mapping(self.keys.get("catalogue")).get("candidates"))
        needed = candidates.get("complete")
        columns = [name for name in needed if name in self.catalogue.columns] if isinstance(needed, list) else []
        rows = self.catalogue.complete(columns)
        if candidates.get("draw") != "listed":
            return rows
        listed = self._listed
        return np.array([row for row in rows.tolist() if self.catalogue.ids[row] in listed], dtype=np.int64)

    @cached_property
    def _listed(self) -> frozenset[str]:
        """The items that stand on some request's list; none if their file cannot be read."""
        from simulator.inputs.csvfile import CsvError, read_csv

        path = (self.base / str(mapping(self.keys.get("requests")).get("lists"))).resolve()
        try:
            read = read_csv(path)
            place = read.header.index("item")
        except (CsvError, OSError, ValueError):
            return frozenset()
        return frozenset(row[place].strip() for _, row in read.rows)

    @cached_property
    def dynamics(self) -> tuple[Dynamic, ...] | None:
        """The world's dynamics; None if one of them is a user's own or cannot be made."""
        from simulator.registry import RegistryError, create, is_foreign, split_spec

        made = []
        listed = self.keys.get("dynamics")
        for spec in listed if isinstance(listed, list) else ():
            try:
                if is_foreign("dynamic", split_spec("dynamic", spec)[0]):
                    return None
                made.append(create("dynamic", spec, self.base))
            except RegistryError:
                return None
        return tuple(made)


def read_setting(folder: Path) -> Setting | None:
    """The setting of a run folder; None if its scenario.yaml is missing or cannot be read."""
    from simulator.inputs.yamlfile import InputError, read_yaml
    from simulator.runs.folder import SCENARIO

    try:
        keys = read_yaml(folder / SCENARIO).data
    except InputError:
        return None
    return Setting(keys, folder) if isinstance(keys, dict) else None


def mapping(value: object) -> Mapping[str, Any]:
    """The value if it is a mapping, else an empty one: a file that somebody has edited may hold anything."""
    return value if isinstance(value, Mapping) else {}
