"""One cell: pretrain (or take the pretrained recommender that is there), train, measure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.llmfosa.experiment.design import Cell, Design
from simulator.llmfosa.experiment.evaluate import evaluate
from simulator.llmfosa.experiment.prepare import Prepared
from simulator.llmfosa.tables import Result

if TYPE_CHECKING:
    from simulator.llmfosa.measures import Attack
    from simulator.llmfosa.methods.base import Trained
    from simulator.llmfosa.training.loop import Watch


def train_cell(
    cell: Cell, design: Design, prepared: Prepared, checkpoints: Path | None, watch: Watch | None = None
) -> Trained:
    """Train one cell. Pretraining is shared by all cells with its encoder and seed; each stage has a checkpoint."""
    from simulator.llmfosa.methods import method
    from simulator.llmfosa.methods.base import Task
    from simulator.llmfosa.training.pretrain import pretrain
    from simulator.llmfosa.training.setting import device_of

    own = method(cell.method)
    plan = own.plan(replace(design.plan, off=()).without(cell.off))
    if cell.weight is not None:
        plan = plan.weighing(cell.weight)
    device = device_of(design.device)
    encoder = plan.pretraining.encoder
    before = checkpoints / f"pretraining-{encoder}_{cell.seed}.pt" if checkpoints else None
    x, y, history = pretrain(
        prepared.data,
        plan.pretraining,
        seed=cell.seed,
        device=device,
        checkpoint=before,
        key=f"{prepared.data_key} {plan.pretraining}",
        watch=watch,
    )
    task = Task(
        prepared.data,
        len(prepared.data.attributes[design.attribute].values),
        x,
        y,
        plan,
        cell.seed,
        prepared.visible_labels(design.attribute, design.hidden, cell.seed) if own.uses == "true labels" else None,
        prepared.annotations,
        device,
        checkpoints / cell.file if checkpoints else None,
        f"{prepared.key} {plan}",
        watch,
    )
    trained = own.train(task)
    return replace(trained, histories={"pretraining": history, **trained.histories})


def run_cell(
    cell: Cell, design: Design, prepared: Prepared, checkpoints: Path | None, watch: Watch | None = None
) -> tuple[Result, Trained, Attack | None]:
    """Train and measure one cell."""
    trained = train_cell(cell, design, prepared, checkpoints, watch)
    figures, attacked = evaluate(
        trained,
        prepared.data,
        design.attribute,
        seed=cell.seed,
        annotations=prepared.annotations,
        leave_out=design.leave_out,
    )
    figures["seconds"] = sum(history.seconds for history in trained.histories.values())
    figures["epochs"] = float(sum(history.best for history in trained.histories.values()))
    figures["peak_mb"] = _peak_mb()
    return Result(cell.name, cell.seed, figures, cell.weight), trained, attacked


def _peak_mb() -> float:
    """Largest resident memory of this process so far."""
    try:
        import resource
    except ImportError:  # Windows has no such count
        return float("nan")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
