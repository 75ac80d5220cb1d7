"""The runs that are compared, with what tells them apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import yaml

from simulator.inputs.yamlfile import InputError, Problem
from simulator.runs.folder import MANIFEST, SCENARIO
from simulator.runs.read import RunError, read_run
from simulator.runs.run import Run

LONGEST_VALUE = 60
MOST_KEYS = 5


@dataclass(frozen=True)
class Member:
    """One run of a comparison.

    Attributes:
        label: what tells its group from the others, such as `borda`, `nash, k=3` or, beside runs of other scenarios,
            `tourism: borda`; runs of a group differ in seeds.
        seed: the root of its draws.
        path: its folder.
        run: its figures.
    """

    label: str
    seed: int
    path: Path
    run: Run


def members(paths: Sequence[Path | str]) -> list[Member]:
    """The runs in these folders, each a run or a sweep, labelled by the scenario keys in which they differ.

    The keys are read from the resolved scenario that every run folder keeps. `mediator` is shown by its value alone;
    if nothing differs, it is the label of all. Runs of several scenarios are told apart by their names first. A folder
    that is named twice counts once.

    Raises:
        InputError: a folder is neither a run nor a sweep, or cannot be read, or there is none; each one is named.
    """
    problems: list[Problem] = []
    found: list[tuple[Path, Run, dict[str, Any]]] = []
    for folder in _run_folders(paths, problems):
        try:
            run = read_run(folder)
            keys = yaml.safe_load((folder / SCENARIO).read_text(encoding="utf-8"))
        except (RunError, OSError, ValueError, yaml.YAMLError) as error:
            problems.append(Problem(str(folder), f"cannot be compared: {' '.join(str(error).split())[:300]}"))
            continue
        if run.rounds.empty:
            problems.append(Problem(str(folder), "has no finished round"))
        if not isinstance(keys, Mapping):
            problems.append(Problem(str(folder), f"cannot be compared: its {SCENARIO} is no mapping of keys"))
        elif type(run.manifest.get("seed")) is not int:
            problems.append(Problem(str(folder), f"cannot be compared: its {MANIFEST} has no whole number as seed"))
        else:
            found.append((folder, run, dict(_flat(keys))))
    if problems:
        raise InputError(problems)
    if not found:
        raise InputError([Problem("compare", "no run was found; name run folders or a sweep's folder")])
    labels = _labels([str(run.manifest.get("scenario", "")) for _, run, _ in found], [keys for _, _, keys in found])
    return [Member(label, run.manifest["seed"], path, run) for label, (path, run, _) in zip(labels, found, strict=True)]


def _run_folders(paths: Sequence[Path | str], problems: list[Problem]) -> Iterator[Path]:
    from simulator.sweeps.sweep import MANIFEST as SWEEP
    from simulator.sweeps.sweep import read_sweep

    seen = set()
    for path in map(Path, paths):
        runs = [path]
        if (path / SWEEP).is_file():
            try:
                runs = read_sweep(path).runs
            except InputError as error:
                problems += error.problems
                continue
        for run in runs:
            if run.resolve() not in seen:
                seen.add(run.resolve())
                yield run


def _flat(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """The leaves of a scenario's keys by their dotted path; stakeholders by name, other lists whole."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _flat(inner, f"{key}.{name}" if key else str(name))
    elif key == "stakeholders" and isinstance(value, list):
        for party in value:
            name = party.get("name") if isinstance(party, Mapping) else None
            yield from _flat(party, f"{key}.{name}")
    else:
        yield key, value


def _differing(keys: Sequence[Mapping[str, Any]]) -> list[str]:
    """The keys, but for the seed, that do not have the same value in all runs; `mediator` first."""
    names = dict.fromkeys(name for each in keys for name in each if name != "seed")
    found = [name for name in names if any(each.get(name) != keys[0].get(name) for each in keys)]
    return sorted(found, key=lambda name: name != "mediator")


def _labels(scenarios: Sequence[str], keys: Sequence[Mapping[str, Any]]) -> list[str]:
    """The label of every run; no two groups have the same, however much of them is not shown."""
    differing = {
        scenario: _differing([own for name, own in zip(scenarios, keys, strict=True) if name == scenario])
        for scenario in dict.fromkeys(scenarios)
    }
    groups: dict[tuple[str, ...], str] = {}
    labels = []
    for scenario, own in zip(scenarios, keys, strict=True):
        group = (scenario, *(repr(own.get(name)) for name in differing[scenario]))
        if group not in groups:
            label = _label(own, differing[scenario])
            label = label if len(differing) == 1 else f"{_shown(scenario)}: {label}"
            numbered = (label if number == 1 else f"{label} ({number})" for number in count(1))
            groups[group] = next(each for each in numbered if each not in groups.values())
        labels.append(groups[group])
    return labels


def _label(keys: Mapping[str, Any], differing: Sequence[str]) -> str:
    shown, more = differing[:MOST_KEYS], len(differing) - MOST_KEYS
    parts = [_shown(keys.get(name)) if name == "mediator" else f"{name}={_shown(keys.get(name))}" for name in shown]
    parts += [f"{more} more keys"] if more > 0 else []
    return ", ".join(parts) or _shown(keys.get("mediator", "run"))


def _shown(value: Any) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"
