"""The figures of an experiment: front, attackers' ROC, and LLMFOSA's confusion matrices and embeddings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from simulator.llmfosa.experiment.design import ABLATED, Cell, Design
from simulator.llmfosa.experiment.model import read_model
from simulator.llmfosa.experiment.prepare import Prepared
from simulator.llmfosa.measures import Attack, Curve
from simulator.llmfosa.tables import Results

if TYPE_CHECKING:
    from collections.abc import Mapping

TOLD: tuple[str, ...] = ("bpr", "fairmi", "adversarial", "majority_fairmi", "llmfosa")  # more lines say less


def draw(results: Results, design: Design, prepared: Prepared, out: Path) -> list[Path]:
    """Write what can be drawn into `figures/`; figures of single models are of the first seed."""
    from simulator.llmfosa.figures import front, roc, write_figure

    source = f"{prepared.data.name}, {design.attribute}, {design.annotations}"
    folder = out / "figures"
    names = {cell.name for cell in design.cells() if not _ablated(cell, design)}
    whole = Results.of(row for row in results.rows if row.method in names)
    k = next((name.partition("@")[2] for name in whole.metrics if name.startswith("dp@")), None)
    written = []
    if k is not None:
        drawn = front(whole, quality=f"ndcg@{k}", disparity=f"dp@{k}", floor=f"dp_floor@{k}", source=source)
        written.append(write_figure(drawn, folder / "front.png"))
    attacks = _attacks(design, out)
    if attacks:
        written.append(write_figure(roc(attacks, source=source), folder / "roc.png"))
    return written + _of_model(design, prepared, out, source)


def _ablated(cell: Cell, design: Design) -> bool:
    """Whether the cell has terms off that the design's own LLMFOSA has not."""
    return cell.off not in ((), design.plan.off)


def _attacks(design: Design, out: Path) -> Mapping[str, Attack]:
    found = {}
    weights = (None, design.plan.fair.fairness)
    for cell in design.cells():
        if cell.seed != design.seeds[0] or _ablated(cell, design) or cell.weight not in weights:
            continue
        try:
            kept = json.loads((out / "cells" / f"{cell.file}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if not kept.get("curves"):
            continue
        curves = {
            kind: {int(value): Curve(np.array(x), np.array(y)) for value, (x, y) in each.items()}
            for kind, each in kept["curves"].items()
        }
        auc = {kind: kept["figures"][f"auc_{kind}"] for kind in curves}
        found[cell.name] = Attack(auc, auc, curves, 0)
    told = [name for name in found if name.partition(" -")[0] in TOLD]
    shown = sorted(told, key=lambda name: TOLD.index(name.partition(" -")[0])) or list(found)[: len(TOLD)]
    return {name: found[name] for name in shown}


def _of_model(design: Design, prepared: Prepared, out: Path, source: str) -> list[Path]:
    """Of LLMFOSA with the plan's weight: confusion matrices, estimated and counted, and s beside p."""
    from simulator.llmfosa.crowds import empirical_confusion
    from simulator.llmfosa.figures import confusion, projection, write_figure

    cells = [
        cell
        for cell in design.cells()
        if cell.method == ABLATED and cell.seed == design.seeds[0] and cell.off == design.plan.off
    ]
    cells.sort(key=lambda cell: abs((cell.weight or 0.0) - design.plan.fair.fairness))
    if not cells or not (out / "models" / cells[0].file).exists():
        return []
    model = read_model(out / "models" / cells[0].file)
    attribute, notes, written = prepared.data.attributes[design.attribute], prepared.annotations, []
    if "confusion" in model.arrays and notes is not None:
        estimated = model.arrays["confusion"]
        counted = empirical_confusion(notes.labels[:, : len(estimated)], attribute.codes, len(attribute.values))
        names = [one.name for one in notes.personas[: len(estimated)]]
        drawn = confusion(estimated, counted, names, attribute.values, source=source)
        written.append(write_figure(drawn, out / "figures" / "confusion.png"))
    shown = {"p (preferences)": model.arrays["users"]}
    if "s" in model.arrays:
        shown = {"s (sensitive)": model.arrays["s"], **shown}
    drawn = projection(shown, attribute.codes, attribute.values, seed=cells[0].seed % 2**32, source=source)
    written.append(write_figure(drawn, out / "figures" / "projection.png"))
    return written
