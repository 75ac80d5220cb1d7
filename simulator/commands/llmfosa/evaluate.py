"""`fairagents llmfosa evaluate`: everything that is measured of a model folder, and the way into a negotiation."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simulator.commands.llmfosa.options import DataFolder, LeaveOut, needs_torch

if TYPE_CHECKING:
    from simulator.llmfosa.methods.base import Trained


def evaluate(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="What `fairagents llmfosa train` has written.")],
    data: DataFolder = None,
    bridge: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Also write a scenario of the model's users to negotiate in."),
    ] = None,
    leave_out: LeaveOut = "train+valid",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Measure a trained recommender: accuracy, parity with its floors, attackers, quality of the inferred attribute.

    Nothing is said of single users. True attributes are used here and nowhere before.
    """
    needs_torch()
    import json

    from simulator.commands.target import one_of
    from simulator.inputs.yamlfile import InputError, Problem
    from simulator.llmfosa.annotators import annotations_of
    from simulator.llmfosa.experiment.evaluate import evaluate as measure
    from simulator.llmfosa.experiment.model import read_model, restored
    from simulator.llmfosa.loaders import load
    from simulator.terminal import print_table

    one_of("--leave-out", [leave_out], ("train+valid", "train"))
    saved = read_model(model)
    about = saved.about
    try:
        loaded = load(str(about["preset"]), data, seed=int(about["split_seed"]))
        attribute, seed = str(about["attribute"]), int(about["seed"])
        known = loaded.attributes[attribute]
        trained = restored(saved)
        fits = trained.users.shape[0] == loaded.shape[0] and trained.items.shape[0] == loaded.shape[1]
        belief = trained.belief
        if belief is not None and belief.posterior.shape[1:] != (len(known.values),):
            raise ValueError(f"the posterior is not one of the {len(known.values)} values of {attribute}")
    except InputError:  # the data's own
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            [Problem(str(model), f"has a damaged description ({type(error).__name__}: {error})")]
        ) from None
    if not fits:
        raise InputError([Problem(str(model), f"was trained on other data: {loaded.name} has other users or items")])
    if bridge is not None:
        _check_bridge(bridge, trained)
    notes = None
    if trained.belief is not None and trained.belief.confusion is not None:
        try:
            notes = annotations_of(str(about["annotations"]), loaded, attribute, int(about["split_seed"]))
        except InputError:  # forgotten, or moved: the rest can be measured without
            print("note: the annotations are not there any more; confusion_error is left out", file=sys.stderr)
    figures, _ = measure(trained, loaded, attribute, seed=seed, annotations=notes, leave_out=leave_out)
    if as_json:
        print(json.dumps({name: None if value != value else value for name, value in figures.items()}))
    else:
        from simulator.llmfosa.tables import column_order

        print(f"{about['method']} on {loaded.name}, groups by {attribute}")
        print_table([{"figure": name, "value": f"{figures[name]:.4f}"} for name in column_order(figures)])
    if bridge is not None:
        from simulator.llmfosa.bridge import write_scenario

        assert trained.belief is not None
        path = write_scenario(
            bridge,
            trained.users,
            trained.items,
            loaded,
            trained.belief.posterior,
            known.values,
            attribute=attribute,
            seed=seed,
        )
        print(path, file=sys.stderr if as_json else sys.stdout)


def _check_bridge(bridge: Path, trained: Trained) -> None:
    from simulator.commands.target import writable_folder
    from simulator.inputs.yamlfile import InputError, Problem

    if trained.belief is None:
        told = "needs a model that believes something of the attribute, such as llmfosa"
        raise InputError([Problem(f"--bridge {bridge}", told)])
    if bridge.exists() and (not bridge.is_dir() or any(bridge.iterdir())):
        raise InputError([Problem(f"--bridge {bridge}", "holds something else; name a new or empty folder")])
    writable_folder(bridge, "--bridge")
