"""One cell of a sweep as it is run, in a process of its own or not."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LONGEST_ERROR = 500


@dataclass(frozen=True, slots=True)
class Task:
    """What a cell is run from; it travels between processes.

    Attributes:
        scenario: a file, folder or shipped name.
        settings: `KEY=VALUE` overrides that hold for all cells.
        overrides: top-level keys that hold for all cells, such as rounds and model.
        values: the cell's own values by axis.
        folder: where its run folder is made.
        plots: whether it gets figures and a report.
        cache: the file of model replies, which all cells share; None for none.
    """

    scenario: str
    settings: tuple[str, ...]
    overrides: Mapping[str, Any]
    values: Mapping[str, Any]
    folder: Path
    plots: bool
    cache: Path | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """How a cell ended.

    Attributes:
        status: `success` or `error`.
        run: its run folder's name inside the cell's folder; "" if none was made.
        seconds: wall time.
        error: why it failed, in one line.
    """

    status: str
    run: str
    seconds: float
    error: str = ""


def run_cell(task: Task) -> Done:
    """Run one cell; whatever goes wrong is its result, never an exception."""
    from simulator.scenario import load_scenario
    from simulator.simulate import run

    started = time.perf_counter()
    try:
        own = {key: task.values[key] for key in ("mediator", "seed") if key in task.values}
        settings = [f"{key}={value}" for key, value in task.values.items() if key not in own]
        scenario = load_scenario(task.scenario, [*task.settings, *settings], **{**task.overrides, **own})
        path = run(scenario, out=task.folder, plots=task.plots, cache=task.cache).path
        return Done("success", "" if path is None else path.name, time.perf_counter() - started)
    except (Exception, SystemExit) as error:  # a failed cell is data, also one whose code wants to leave
        line = " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST_ERROR]
        made = sorted(entry.name for entry in task.folder.glob("*") if entry.is_dir())
        return Done("error", made[-1] if made else "", time.perf_counter() - started, line)
