"""The figures there are, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simulator.plots import agreement, cost, fairness, rank_paths, satisfaction, turns, utilities

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from simulator.runs import Run


@dataclass(frozen=True, slots=True)
class Kind:
    """A figure.

    Attributes:
        question: what it answers.
        figure: draws it from a run; no pyplot state, any backend.
    """

    question: str
    figure: Callable[[Run], Figure]


KINDS = {
    "utilities": Kind("What did every stakeholder get, round by round?", utilities.figure),
    "fairness": Kind("How fair was the collective, round by round and so far?", fairness.figure),
    "satisfaction": Kind("Who is ahead and who is behind over the run, and who waited longest?", satisfaction.figure),
    "agreement": Kind("Who agrees with whom, and with the outcome?", agreement.figure),
    "rank_paths": Kind("How did the delivered items move in the collective ranking?", rank_paths.figure),
    "turns": Kind("How long did every round take to agree, and did it?", turns.figure),
    "cost": Kind("What did the rounds cost in tokens and in time?", cost.figure),
}


def draw(kind: str, run: Run) -> Figure:
    """The figure of this name.

    Raises:
        ValueError: there is no such figure.
    """
    if kind not in KINDS:
        raise ValueError(f"there is no plot '{kind}'; known: {', '.join(KINDS)}")
    return KINDS[kind].figure(run)
