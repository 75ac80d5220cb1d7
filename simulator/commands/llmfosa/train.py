"""`fairagents llmfosa train`: one method, one seed, as a model folder."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, Self

import typer

from simulator.commands.llmfosa.options import (
    AnnotationsName,
    Attribute,
    DataFolder,
    Device,
    Hidden,
    Off,
    Preset,
    TrainingSettings,
    device_name,
    first_attribute,
    needs_torch,
    read_plan,
)


def train(
    out: Annotated[Path, typer.Option(help="Folder of the model; a training that was interrupted goes on.")],
    method: Annotated[str, typer.Option(help="As `fairagents llmfosa methods` lists them.")] = "llmfosa",
    preset: Preset = "synthetic",
    data: DataFolder = None,
    attribute: Attribute = None,
    annotations: AnnotationsName = "stereotypes",
    fairness: Annotated[float | None, typer.Option(min=0.0, help="Weight of fairness.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Root of every random draw.")] = 0,
    off: Off = None,
    settings: TrainingSettings = [],  # noqa: B006  # typer copies the default
    hidden: Hidden = 0.2,
    split_seed: Annotated[int, typer.Option(help="Of the split and of simulated annotators.")] = 0,
    device: Device = "cpu",
) -> None:
    """Train one recommender in its stages; the last line printed is the model folder.

    Every stage stops once the validation part is ranked no better, and never looks at true attributes unless the method
    says that it uses true labels. Annotations that are called simulated come from no model.
    """
    needs_torch()
    import torch

    from simulator.commands.target import writable_folder
    from simulator.inputs.yamlfile import InputError, Problem
    from simulator.llmfosa.experiment.cell import train_cell
    from simulator.llmfosa.experiment.design import Cell, Design
    from simulator.llmfosa.experiment.model import write_model
    from simulator.llmfosa.experiment.prepare import prepare
    from simulator.llmfosa.experiment.run import about_model
    from simulator.llmfosa.methods import method as method_of

    plan = read_plan(preset, settings, off)
    try:
        own = method_of(method)
    except ValueError as error:
        raise InputError([Problem(f"--method {method}", str(error))]) from None
    if out.exists() and (not out.is_dir() or any(not _ours(one.name) for one in out.iterdir())):
        raise InputError([Problem(f"--out {out}", "holds something else; name a new or empty folder")])
    writable_folder(out, "--out")
    if fairness == float("inf"):
        raise InputError([Problem("--fairness inf", "should be a finite number")])
    weight = (plan.fair.fairness if fairness is None else fairness) if own.weighted else None
    design = Design(
        preset,
        data,
        first_attribute(attribute, preset, data),
        annotations,
        (method,),
        (seed,),
        plan=plan,
        hidden=hidden,
        device=device_name(device),
        split_seed=split_seed,
    )
    prepared = prepare(design)
    cell = Cell(method, seed, weight, plan.off)
    out.mkdir(parents=True, exist_ok=True)
    out.chmod(0o700)  # checkpoints too hold what was inferred of people
    torch.set_num_threads(1)  # as in an experiment: sums in another order are other numbers
    with StageView() as view:
        trained = train_cell(cell, design, prepared, out / "checkpoints", view.show)
    write_model(out, trained, about_model(cell, design))
    for name, history in trained.histories.items():
        print(f"{name}: epoch {history.best} of {len(history.terms)} kept, {history.seconds:.1f} CPU seconds")
    print(f"measure it: fairagents llmfosa evaluate {out}" + (f" --data {data}" if data else ""), file=sys.stderr)
    print(out)


def _ours(name: str) -> bool:
    """Whether a training writes such a file, or leaves it when it is killed."""
    return name in ("checkpoints", "model.json", "model.npz") or (name.startswith("model.") and name.endswith(".part"))


class StageView:
    """Epochs as they come: a bar a stage on a terminal, a line for every look at the validation elsewhere."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._tasks: dict[str, Any] = {}

    def __enter__(self) -> Self:
        if sys.stdout.isatty():
            from rich.progress import Progress

            self._bar = Progress(transient=True)
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, stage: str, epoch: int, epochs: int, terms: Mapping[str, float]) -> None:
        """Show one epoch."""
        told = ", ".join(f"{name} {value:.4f}" for name, value in terms.items())
        if self._bar is None:
            if "validation" in terms:
                print(f"{stage} {epoch}/{epochs}: {told}", flush=True)
            return
        if stage not in self._tasks:
            self._tasks[stage] = self._bar.add_task(stage, total=epochs)
        self._bar.update(self._tasks[stage], completed=epoch, description=f"{stage}: {told}")
