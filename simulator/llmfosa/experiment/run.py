"""Run a design: cells in any number of processes, each result kept as it comes, tables and figures at the end."""

from __future__ import annotations

import json
import math
import os
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulator.llmfosa.experiment.design import Cell, Design
from simulator.llmfosa.measures import Curve
from simulator.llmfosa.tables import Result, Results, write_results

if TYPE_CHECKING:
    from simulator.llmfosa.experiment.prepare import Prepared

Done = Callable[[int, int, Result], None]


def run_design(design: Design, out: Path, *, jobs: int = 1, figures: bool = True, done: Done | None = None) -> Results:
    """Train and measure every cell that has no result yet, and write tables and figures.

    Results depend on neither jobs nor order: a cell computes on one thread and draws from its own seed.

    Args:
        design: What is run.
        out: Folder of the experiment; one that was interrupted is gone on with.
        jobs: Processes at a time.
        figures: Whether figures are drawn.
        done: Called with the number of finished cells, of all cells, and the result, as they come.

    Raises:
        InputError: The data, the annotations or the folder are wrong.
    """
    from simulator.inputs.yamlfile import InputError, Problem
    from simulator.llmfosa.experiment.prepare import prepare

    prepared = prepare(design)
    cells = design.cells()
    if len({cell.file for cell in cells}) < len(cells):
        weights = ", ".join(str(weight) for weight in design.weights)
        raise InputError(
            [Problem(f"--weights {weights}", "two of them agree in six digits; results would be mixed up")]
        )
    claim(out, design, prepared.key)
    found = {cell: kept for cell in cells if (kept := _kept(out, cell, prepared.key)) is not None}
    for cell, result in found.items():
        if done:
            done(list(found).index(cell) + 1, len(cells), result)
    missing = [cell for cell in cells if cell not in found]
    for cell, result in _computed(missing, design, out, jobs):
        found[cell] = result
        if done:
            done(len(found), len(cells), result)
    results = Results.of(found[cell] for cell in cells)
    write_results(results, out)
    if figures:
        from simulator.llmfosa.experiment.drawing import draw

        draw(results, design, prepared, out)
    return results


def claim(out: Path, design: Design, key: str) -> None:
    """Make the folder this experiment's.

    Raises:
        InputError: It holds something else.
    """
    from dataclasses import asdict

    from simulator.inputs.yamlfile import InputError, Problem

    about = out / "experiment.json"
    others = out.exists() and (not out.is_dir() or any(not one.name.endswith(".part") for one in out.iterdir()))
    if others and not about.exists():
        raise InputError([Problem(f"--out {out}", "holds something else; name a new or empty folder")])
    out.mkdir(parents=True, exist_ok=True)
    out.chmod(0o700)  # models hold what was inferred of people
    text = json.dumps({"key": key, **asdict(design)}, indent=2, default=str)
    _replace(about, text + "\n")


def _computed(cells: Sequence[Cell], design: Design, out: Path, jobs: int) -> Iterator[tuple[Cell, Result]]:
    """Results as they come. The cells of a seed stay together: they share its pretrained recommender."""
    groups: dict[tuple[int, bool], list[Cell]] = {}
    for cell in cells:
        groups.setdefault((cell.seed, cell.method == "lightgcn"), []).append(cell)
    if jobs <= 1 or len(groups) <= 1:
        for group in groups.values():
            for cell in group:
                yield cell, compute(cell, design, out)
        return
    from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
    from multiprocessing import get_context

    with ProcessPoolExecutor(min(jobs, len(groups)), get_context("spawn"), _watch_parent) as pool:
        queues = list(groups.values())
        running = {}
        for queue in queues:  # the first cell of every seed pretrains, the others follow it
            running[pool.submit(compute, queue[0], design, out)] = queue
        try:
            while running:
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    queue = running.pop(future)
                    cell, queue = queue[0], queue[1:]
                    if queue:
                        running[pool.submit(compute, queue[0], design, out)] = queue
                    yield cell, future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


_PREPARED: dict[Design, Prepared] = {}  # of this process: the data are loaded once


def _watch_parent() -> None:
    """Make this process end when the experiment's own process does, however that ends."""
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def compute(cell: Cell, design: Design, out: Path) -> Result:
    """Train and measure one cell on one thread, and keep its result and its model."""
    import torch

    from simulator.llmfosa.experiment.cell import run_cell
    from simulator.llmfosa.experiment.model import write_model
    from simulator.llmfosa.experiment.prepare import prepare

    torch.set_num_threads(1)
    if design not in _PREPARED:
        _PREPARED.clear()
        _PREPARED[design] = prepare(design)
    prepared = _PREPARED[design]
    result, trained, attacked = run_cell(cell, design, prepared, out / "checkpoints")
    if cell.seed == design.seeds[0]:
        write_model(out / "models" / cell.file, trained, about_model(cell, design))
    curves = {} if attacked is None or cell.seed != design.seeds[0] else _plain(attacked.curves)
    figures = {name: value if math.isfinite(value) else None for name, value in result.figures.items()}
    kept = {"key": prepared.key, "figures": figures, "curves": curves}
    _replace(out / "cells" / f"{cell.file}.json", json.dumps(kept, allow_nan=False))
    shutil.rmtree(out / "checkpoints" / cell.file, ignore_errors=True)  # pretraining is kept for the other cells
    return result


def about_model(cell: Cell, design: Design) -> dict[str, Any]:
    """What a model came from, for its description."""
    return {
        "preset": design.preset,
        "attribute": design.attribute,
        "annotations": design.annotations,
        "seed": cell.seed,
        "split_seed": design.split_seed,
        "hidden": design.hidden,
        "fairness": cell.weight,
        "off": list(cell.off),
    }


def _kept(out: Path, cell: Cell, key: str) -> Result | None:
    try:
        kept = json.loads((out / "cells" / f"{cell.file}.json").read_text(encoding="utf-8"))
        if kept["key"] != key:
            return None
        figures = {str(name): math.nan if value is None else float(value) for name, value in kept["figures"].items()}
        return Result(cell.name, cell.seed, figures, cell.weight)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _plain(curves: Mapping[str, Mapping[int, Curve]]) -> dict[str, dict[str, list[list[float]]]]:
    return {
        kind: {
            str(value): [curve.false_positive.tolist(), curve.true_positive.tolist()] for value, curve in each.items()
        }
        for kind, each in curves.items()
    }


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, path)
