"""`fairagents llmfosa run`: methods, weights, ablations and seeds in one go, as one table with figures."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simulator.commands.llmfosa.options import (
    AnnotationsName,
    Attribute,
    DataFolder,
    Device,
    Hidden,
    LeaveOut,
    Off,
    Preset,
    TrainingSettings,
    device_name,
    first_attribute,
    needs_torch,
    numbers,
    read_plan,
)

if TYPE_CHECKING:
    from simulator.llmfosa.tables import Result, Results

MOST_SEEDS = 1000
SHOWN = (
    "ndcg_untruncated@10",
    "ndcg@10",
    "recall@10",
    "dp@10",
    "eo@10",
    "auc_logistic",
    "auc_mlp",
    "attribute_auc",
    "confusion_error",
    "seconds",
)


def run(
    out: Annotated[Path, typer.Option(help="A new folder, or one with an experiment to go on with.")],
    preset: Preset = "synthetic",
    data: DataFolder = None,
    attribute: Attribute = None,
    annotations: AnnotationsName = "stereotypes",
    methods: Annotated[
        str, typer.Option(metavar="NAME,...", help="Methods by name, or all; `fairagents llmfosa methods` lists them.")
    ] = "all",
    seeds: Annotated[str, typer.Option(metavar="N|A,B,...", help="How many seeds, or these.")] = "1",
    weights: Annotated[
        str | None, typer.Option(metavar="W,...", help="Weights of fairness of fairmi, majority_fairmi and llmfosa.")
    ] = None,
    ablate: Annotated[bool, typer.Option("--ablate", help="LLMFOSA also with each term off.")] = False,
    off: Off = None,
    settings: TrainingSettings = [],  # noqa: B006  # typer copies the default
    hidden: Hidden = 0.2,
    leave_out: LeaveOut = "train+valid",
    split_seed: Annotated[int, typer.Option(help="Of the split and of simulated annotators.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Processes at a time.")] = 1,
    device: Device = "cpu",
    no_plots: Annotated[bool, typer.Option("--no-plots", help="Leave out the figures.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a method, weight and seed.")] = False,
) -> None:
    """Train and measure methods beside each other; the last line printed is the folder.

    Annotations that are called simulated are made from the true attribute or from stereotypes, no model is asked. After
    a kill the same command goes on with the trainings that are not done.
    """
    needs_torch()
    from simulator.commands.target import one_of, writable_folder
    from simulator.inputs.yamlfile import InputError, Problem
    from simulator.llmfosa.experiment.design import Design
    from simulator.llmfosa.experiment.run import run_design
    from simulator.llmfosa.experiment.versus import versus
    from simulator.llmfosa.methods import METHODS, method

    one_of("--leave-out", [leave_out], ("train+valid", "train"))
    plan = read_plan(preset, settings, off)
    if not out.is_file():  # of which it is said below what is wrong
        writable_folder(out, "--out")
    names = list(METHODS) if methods == "all" else [name.strip() for name in methods.split(",")]
    try:
        for name in names:
            method(name)
    except ValueError as error:
        raise InputError([Problem(f"--methods {methods}", str(error))]) from None
    roots = numbers(seeds, "--seeds", int)
    if "," not in seeds:
        if not 1 <= roots[0] <= MOST_SEEDS:
            told = f"should be how many seeds, 1 to {MOST_SEEDS}, or seeds such as 7,8; 7, is the seed 7 alone"
            raise InputError([Problem(f"--seeds {seeds}", told)])
        roots = list(range(roots[0]))
    design = Design(
        preset,
        data,
        first_attribute(attribute, preset, data),
        annotations,
        tuple(dict.fromkeys(names)),
        tuple(roots),
        tuple(numbers(weights, "--weights", float)) if weights else (plan.fair.fairness,),
        ablate,
        plan,
        hidden,
        device_name(device),
        split_seed,
        leave_out,
    )

    def tell(done: int, total: int, result: Result) -> None:
        if not as_json:
            print(f"{done}/{total} {_line(result)}", flush=True)

    results = run_design(design, out, jobs=jobs, figures=not no_plots, done=tell)
    if as_json:
        _print_json(results)
        print(out, file=sys.stderr)
        return
    print()
    print(table(results))
    for line in versus(results):
        print(line)
    print()
    print(out)


def table(results: Results) -> str:
    """The table for a terminal: the figures that decide, means with half the 95% interval over seeds."""
    from simulator.llmfosa.tables import as_markdown

    return as_markdown(results, [name for name in SHOWN if name in results.metrics])


def _line(result: Result) -> str:
    weight = "" if result.weight is None else f" weight {result.weight:g}"
    shown = [
        f"{name} {result.figures[name]:.3f}"
        for name in ("ndcg_untruncated@10", "dp@10", "auc_logistic")
        if name in result.figures
    ]
    return f"{result.method}{weight} seed {result.seed}: {', '.join(shown)}, {result.figures['seconds']:.0f} s"


def _print_json(results: Results) -> None:
    import json

    for row in results.rows:
        figures = {name: None if value != value else value for name, value in row.figures.items()}
        print(json.dumps({"method": row.method, "weight": row.weight, "seed": row.seed, **figures}))
