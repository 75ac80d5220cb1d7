"""Options that several commands of `fairagents llmfosa` take, and what they are read to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from simulator.llmfosa.training.plan import Plan

Preset = Annotated[str, typer.Option(help="ml-100k, ml-1m, lastfm-360k, recbole, pairs, csv, synthetic.")]
DataFolder = Annotated[Path | None, typer.Option("--data", help="The folder with the files of the preset.")]
Attribute = Annotated[
    str | None, typer.Option(help="Whose groups are compared; by default gender, or the data's first without it.")
]
AnnotationsName = Annotated[
    str,
    typer.Option(
        "--annotations",
        metavar="NAME|DIR",
        help="Simulated: independent, shared(rho=0.7), stereotypes; or the folder of `fairagents llmfosa infer`.",
    ),
]
Off = Annotated[
    str | None, typer.Option("--off", metavar="TERM,...", help="Terms that are switched off, such as similarity.")
]
TrainingSettings = Annotated[
    list[str], typer.Option("--set", metavar="KEY=VALUE", help="An option of a stage, such as fair.epochs=3.")
]
Device = Annotated[str, typer.Option(help="cpu, cuda, or another device of PyTorch.")]
LeaveOut = Annotated[
    str,
    typer.Option(
        "--leave-out",
        help="Whose items are never recommended: train+valid, or train, as behind FairMI's published figures.",
    ),
]
Hidden = Annotated[
    float, typer.Option(min=0.0, max=0.9, help="Share of users whose true label methods with true labels don't see.")
]


def read_plan(preset: str, settings: Sequence[str], off: str | None) -> Plan:
    """The plan of a preset with settings and switched-off terms.

    Raises:
        InputError: One of them is wrong.
    """
    import yaml

    from simulator.inputs.yamlfile import InputError, Problem
    from simulator.llmfosa.training.plan import plan_of

    values: dict[str, Any] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise InputError([Problem(f"--set {setting}", "should be KEY=VALUE, such as fair.epochs=3")])
        try:
            values[key.strip()] = _number(yaml.safe_load(value))
        except (yaml.YAMLError, ValueError, RecursionError):  # ValueError: a date that is none
            raise InputError([Problem(f"--set {setting}", f"{value!r} is no value")]) from None
    terms = [term.strip() for term in (off or "").split(",") if term.strip()]
    try:
        plan = plan_of(preset, values)
    except ValueError as error:
        raise InputError([Problem("--set", str(error))]) from None
    try:
        return plan.without(terms)
    except ValueError as error:
        raise InputError([Problem(f"--off {off}", str(error))]) from None


def _number(value: Any) -> Any:
    """YAML takes 1e-3 for a word."""
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value
    return value


def first_attribute(attribute: str | None, preset: str, data: Path | None) -> str:
    """The attribute that was named; else gender, as most of this literature, or the first that the data have."""
    if attribute is not None:
        return attribute
    from simulator.inputs.yamlfile import InputError, Problem
    from simulator.llmfosa.loaders import load

    known = list(load(preset, data).attributes)
    if not known:
        raise InputError([Problem("--attribute", "the data know no attribute of their users")])
    return "gender" if "gender" in known else known[0]


def needs_torch() -> None:
    """Say how to install what training needs.

    Raises:
        InputError: It is not there.
    """
    from simulator.inputs.yamlfile import InputError, Problem

    try:
        import sklearn  # noqa: F401  # only whether it is there
        import torch  # noqa: F401  # as above
    except (ImportError, OSError) as error:  # OSError: a build for CUDA without its libraries
        remedy = 'pip install "fair-agents[llmfosa]"'
        raise InputError([Problem("llmfosa", f"PyTorch and scikit-learn are needed ({error}): {remedy}")]) from None


def numbers(text: str, option: str, kind: type[int] | type[float]) -> list[Any]:
    """Numbers separated by commas, none twice; a comma at the end does no harm.

    Raises:
        InputError: One is no number, or is below 0.
    """
    from simulator.inputs.yamlfile import InputError, Problem

    try:
        found = [kind(part) for part in text.strip().removesuffix(",").split(",")]
    except ValueError:
        raise InputError([Problem(f"{option} {text}", "should be numbers separated by commas")]) from None
    if any(not 0 <= value < float("inf") for value in found):
        raise InputError([Problem(f"{option} {text}", "every number should be at least 0")])
    return list(dict.fromkeys(found))


def device_name(name: str) -> str:
    """The device, once it has been tried.

    Raises:
        InputError: There is no such device here.
    """
    from simulator.inputs.yamlfile import InputError, Problem
    from simulator.llmfosa.training.setting import device_of

    try:
        return str(device_of(name))
    except ValueError as error:
        raise InputError([Problem(f"--device {name}", str(error))]) from None
