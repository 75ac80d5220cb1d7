"""A sweep on disk: its grid, its cells and how each of them ended."""

from __future__ import annotations

import csv
import json
import math
import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulator.inputs.nearest import nearest
from simulator.inputs.yamlfile import InputError, Problem
from simulator.runs.folder import slug
from simulator.sweeps.cell import Done, Task
from simulator.sweeps.grid import Cell, Grid
from simulator.sweeps.local import run_local

if TYPE_CHECKING:
    import pandas as pd

Engine = Callable[[Sequence[Task], int], Iterator[tuple[int, Done]]]
ENGINES: dict[str, Engine] = {"local": run_local}
MANIFEST = "sweep.json"
CELLS = "cells.csv"
RUNS = "cells"
_COLUMNS = ("status", "run", "seconds", "error")


@dataclass(frozen=True)
class Sweep:
    """A sweep that was run, whole or in part.

    Attributes:
        path: its folder.
        manifest: scenario, axes, settings, status.
        cells: one row a cell: `cell`, the axes, `status` (waiting, success, error), `run` (its folder, relative to the
            sweep's), `seconds`, `error`.
    """

    path: Path
    manifest: Mapping[str, Any]
    cells: pd.DataFrame

    @property
    def runs(self) -> list[Path]:
        """The run folders of the cells that succeeded."""
        return [self.path / name for name in self.cells.loc[self.cells["status"] == "success", "run"]]


def sweep(
    scenario: str | Path,
    cells: Grid,
    *,
    settings: Sequence[str] = (),
    out: Path | str = "sweeps",
    jobs: int | None = None,
    engine: str = "local",
    plots: bool = False,
    watch: Callable[[Cell, Done], None] | None = None,
    cache: Path | str | None = None,
    **overrides: Any,
) -> Sweep:
    """Run every cell of a grid, a run folder each; a cell that fails is recorded, and the others go on.

    Args:
        scenario: a file, folder or shipped name.
        cells: what is varied.
        settings: `KEY=VALUE` overrides for all cells.
        out: where the sweep's folder is made.
        jobs: processes at a time; as many as there are cores by default.
        engine: one of `ENGINES`.
        plots: whether every run gets figures and a report.
        watch: is given every cell as it ends.
        cache: a file of model replies that all cells share.
        **overrides: top-level keys for all cells, such as rounds and model; None leaves the scenario's.

    Raises:
        InputError: the scenario is wrong as it stands, without any cell's values, there is no such engine, or the cache
            cannot be used.
    """
    from simulator.scenario import load_scenario, locate

    if engine not in ENGINES:
        raise InputError([Problem(f"--engine {engine}", f"there is no such engine{nearest(engine, list(ENGINES))}")])
    if jobs is not None and jobs < 1:
        raise InputError([Problem(f"--jobs {jobs}", "must be at least 1")])
    given = {key: value for key, value in overrides.items() if value is not None}
    loaded = load_scenario(scenario, settings, **given)
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    path = Path(out) / f"{stamp}_{slug(loaded.name)}_{secrets.token_hex(3)}"
    made = cells.cells
    shared = None if cache is None else _checked(cache)
    tasks = []
    for cell in made:
        folder = path / RUNS / cell.name
        folder.mkdir(parents=True)
        source = str(locate(scenario).resolve())
        tasks.append(Task(source, tuple(settings), given, cell.values, folder.absolute(), plots, shared))
    book = _Book(path, loaded.name, cells, {"settings": list(settings), **given, "engine": engine})
    with book:
        for place, done in ENGINES[engine](tasks, jobs or os.cpu_count() or 1):
            book.enter(made[place], done)
            if watch is not None:
                watch(made[place], done)
    return read_sweep(path)


def read_sweep(path: Path | str) -> Sweep:
    """Read a sweep's folder.

    Raises:
        InputError: it is none, or its files are damaged.
    """
    import pandas as pd

    folder = Path(path)
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        cells = pd.read_csv(folder / CELLS, dtype=str, keep_default_na=False)
    except (OSError, ValueError) as error:
        raise InputError([Problem(str(folder), f"is no sweep that can be read: {error}")]) from None
    if not isinstance(manifest, dict) or not {"cell", *_COLUMNS} <= set(cells.columns):
        raise InputError([Problem(str(folder), f"is no sweep: {CELLS} needs the columns cell, {', '.join(_COLUMNS)}")])
    cells["seconds"] = pd.to_numeric(cells["seconds"], errors="coerce")
    return Sweep(folder, manifest, cells)


class _Book:
    """Keeps sweep.json and cells.csv true at every moment, so that a killed sweep can be read and gone on with."""

    def __init__(self, path: Path, scenario: str, cells: Grid, common: Mapping[str, Any]) -> None:
        self._path = path
        axes = {key: list(values) for key, values in cells.axes.items()}
        self._manifest = {
            "scenario": scenario,
            "status": "started",
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
            "axes": axes,
            "common": dict(common),
        }
        self._rows: dict[int, dict[str, Any]] = {
            cell.number: {"cell": cell.name, **cell.values, "status": "waiting", "run": "", "seconds": "", "error": ""}
            for cell in cells.cells
        }

    def __enter__(self) -> _Book:
        self._write()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        failed = any(row["status"] != "success" for row in self._rows.values())
        self._manifest["status"] = "cancelled" if kind is not None else "partial" if failed else "success"
        self._write()

    def enter(self, cell: Cell, done: Done) -> None:
        """Record a cell that has ended."""
        seconds = "" if math.isnan(done.seconds) else round(done.seconds, 3)
        run = f"{RUNS}/{cell.name}/{done.run}" if done.run else ""
        self._rows[cell.number].update(status=done.status, run=run, seconds=seconds, error=done.error)
        self._write()

    def _write(self) -> None:
        """Replace both files in one step each."""
        _replace(self._path / MANIFEST, json.dumps(self._manifest, ensure_ascii=False, indent=2) + "\n")
        part = self._path / f".{CELLS}.part"
        with part.open("w", encoding="utf-8", newline="") as file:
            rows = list(self._rows.values())
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        os.replace(part, self._path / CELLS)


def _checked(cache: Path | str) -> Path:
    """The file of replies for every cell, found usable before any of them runs."""
    from simulator.models.cache import ResponseCache

    with ResponseCache(cache) as replies:
        return replies.path


def _replace(path: Path, text: str) -> None:
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)
