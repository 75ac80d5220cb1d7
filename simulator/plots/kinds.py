"""The figures there are, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simulator.plots import agreement, cost, fairness, places, rank_paths, satisfaction, turns, utilities, world
from simulator.plots.changes import regimes
from simulator.plots.marks import mark_regimes
from simulator.plots.medium import drawn_for

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from simulator.runs import Run


def _always(run: Run) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Kind:
    """A figure.

    Attributes:
        question: what it answers.
        figure: draws it from a run; no pyplot state, any backend.
        before: how far before its number a round begins on the x axis; None if that axis does not show rounds.
        fits: whether a run has what the figure is about.
    """

    question: str
    figure: Callable[[Run], Figure]
    before: float | None = None
    fits: Callable[[Run], bool] = _always


KINDS = {
    "utilities": Kind("What did every stakeholder get, round by round?", utilities.figure, 0.5),
    "fairness": Kind("How fair was the collective, round by round and so far?", fairness.figure, 0.5),
    "satisfaction": Kind(
        "Who is ahead and who is behind over the run, and who waited longest?", satisfaction.figure, 0.5
    ),
    "agreement": Kind("Who agrees with whom, and with the outcome?", agreement.figure),
    "rank_paths": Kind("How did the delivered items move in the collective ranking?", rank_paths.figure, 0.8),
    "turns": Kind("How long did every round take to agree, and did it?", turns.figure, 0.5),
    "cost": Kind("What did the rounds cost in tokens and in time?", cost.figure, 0.5),
    "world": Kind("What fills up as the rounds go by, and how unequally?", world.figure, 0.0, world.fits),
    "map": Kind("Where are the items, which were delivered, and how full are they?", places.figure, None, places.fits),
}


def kinds_of(run: Run) -> list[str]:
    """The figures that there is something to show in."""
    return [name for name, kind in KINDS.items() if kind.fits(run)]


def draw(kind: str, run: Run, width: str = "screen") -> Figure:
    """The figure of this name; lines mark where another mediator begins to decide.

    Args:
        kind: one of `KINDS`.
        run: what to draw.
        width: `screen`, `page` or `column`; see `simulator.plots.medium`.

    Raises:
        ValueError: there is no such figure or width.
    """
    if kind not in KINDS:
        raise ValueError(f"there is no plot '{kind}'; known: {', '.join(KINDS)}")
    chosen = KINDS[kind]
    with drawn_for(width):
        figure = chosen.figure(run)
        if chosen.before is not None:
            mark_regimes(figure, regimes(run), chosen.before)
    return figure
