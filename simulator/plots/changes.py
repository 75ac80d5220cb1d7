"""Where in a run another mediator begins to decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulator.runs import Run

DRAWN = "draw"  # the outcome of a round that ended without agreement and was drawn


@dataclass(frozen=True, slots=True)
class Regime:
    """A stretch of rounds that one mediator decides: its first round, and the mediator with its parameters."""

    round: int
    mediator: str


def regimes(run: Run) -> list[Regime]:
    """The mediators in the order in which they took over; empty if none decided a round.

    A slate that the parties bargained carries the protocol's name in place of the mediator's: it changes nothing.
    """
    from simulator.registry import names

    if "mediator" not in run.rounds:
        return []
    bargained = {*names("protocol"), DRAWN}
    found: list[Regime] = []
    for number, label in zip(run.rounds["round"], run.rounds["mediator"], strict=True):
        known = isinstance(label, str) and label.partition("(")[0] not in bargained
        if known and (not found or found[-1].mediator != label):
            found.append(Regime(int(number), label))
    return found


def deciders(run: Run) -> list[str]:
    """The mediators in the order in which they took over; where none decided, what the parties bargained by."""
    found = [regime.mediator for regime in regimes(run)]
    if found or "mediator" not in run.rounds:
        return found
    return [str(label) for label in run.rounds["mediator"].dropna().unique()]
