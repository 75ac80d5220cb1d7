"""Run a scenario and look at it meanwhile, wherever Python runs."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simulator.scenario import Scenario
    from simulator.simulate import RunResult

FIGURES = ("utilities", "fairness", "satisfaction", "rank_paths", "agreement")


def watch(
    scenario: Scenario | str | Path,
    *,
    rounds: int | None = None,
    seed: int | None = None,
    mediator: str | Mapping[str, Any] | None = None,
    model: str | Mapping[str, Any] | None = None,
    out: Path | str | None = None,
    plots: bool = True,
    figures: Sequence[str] = FIGURES,
) -> RunResult:
    """Run a scenario as `run` does, and show how it goes: figures in a notebook cell, a live screen in a terminal.

    Args:
        scenario, rounds, seed, mediator, model, out, plots: as for `run`.
        figures: kinds of figures that a notebook shows, redrawn in place.

    Raises:
        InputError: the scenario or an override is wrong.
        ValueError: there is no such kind of figure.
        ModelUnavailable: a model cannot be asked here; nothing was written.
    """
    from simulator.scenario import Scenario, load_scenario
    from simulator.simulate import run
    from simulator.terminal import RunView
    from simulator.watching.notebook import NotebookView
    from simulator.watching.screen import ScreenView

    overrides: dict[str, Any] = {"rounds": rounds, "seed": seed, "mediator": mediator, "model": model}
    loaded = scenario.replace(**overrides) if isinstance(scenario, Scenario) else load_scenario(scenario, **overrides)
    view: RunView | NotebookView = NotebookView(loaded, figures) if in_notebook() else ScreenView(loaded)
    with view:
        return run(loaded, out=out, plots=plots, watch=view.round)


def in_notebook() -> bool:
    """Whether a Jupyter kernel runs this."""
    known = sys.modules.get("IPython")
    shell = None if known is None else known.get_ipython()
    return shell is not None and hasattr(shell, "kernel")
