"""`fairagents sweep`: the same scenario under many mediators, seeds and settings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simulator.arguments import CacheFile, ScenarioName, Settings

if TYPE_CHECKING:
    from simulator.sweeps.cell import Done
    from simulator.sweeps.grid import Cell


def sweep(
    scenario: ScenarioName,
    mediator: Annotated[str | None, typer.Option(help="Rules, separated by commas.")] = None,
    seeds: Annotated[str | None, typer.Option(metavar="SEEDS", help="Such as 1-5 or 1,2,7.")] = None,
    vary: Annotated[
        list[str], typer.Option(metavar="KEY=[V, V]", help="Any key of the scenario and the values it takes.")
    ] = [],  # noqa: B006  # typer copies the default
    rounds: Annotated[int | None, typer.Option(help="Rounds of every run.")] = None,
    model: Annotated[str | None, typer.Option(help="embedded, fake, none, openai(...), ollama(...).")] = None,
    settings: Settings = [],  # noqa: B006  # as above
    jobs: Annotated[int | None, typer.Option(help="Processes at a time; the machine's cores by default.")] = None,
    engine: Annotated[str, typer.Option(help="Where cells are run: local.")] = "local",
    out: Annotated[Path, typer.Option(help="Where the sweep's folder is made.")] = Path("sweeps"),
    cache: CacheFile = None,
    plots: Annotated[bool, typer.Option("--plots", help="Figures and a report for every run.")] = False,
) -> None:
    """Run a grid of mediators, seeds and settings, a run folder a cell; the last line printed is the sweep's folder.

    A cell that fails is recorded in cells.csv and the others go on; the exit code is then 1.
    """
    from simulator.callsyntax import split_calls
    from simulator.sweeps.grid import grid, parse_seeds
    from simulator.sweeps.sweep import sweep as run_sweep
    from simulator.terminal import plain

    cells = grid(
        split_calls(mediator) if mediator is not None else (), vary, parse_seeds(seeds) if seeds is not None else ()
    )
    total = len(cells.cells)

    def say(cell: Cell, done: Done) -> None:
        values = ", ".join(f"{key}={plain(value)}" for key, value in cell.values.items()) or "as it is"
        ended = f"{done.seconds:.1f} s" if done.status == "success" else f"failed: {plain(done.error)}"
        print(f"cell {cell.number} of {total}: {values} | {ended}", flush=True)

    done = run_sweep(
        scenario,
        cells,
        settings=settings,
        out=out,
        jobs=jobs,
        engine=engine,
        plots=plots,
        watch=say,
        cache=cache,
        rounds=rounds,
        model=model,
    )
    failed = int((done.cells["status"] != "success").sum())
    if failed:
        print(f"{failed} of {total} cells failed; cells.csv says why")
    print(done.path)
    if failed:
        raise typer.Exit(1)
