"""What a strategic stakeholder gains over honesty under each mediator, and who pays for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.manipulation.best_response import Method, Vote, best_response
from simulator.profile import Floats
from simulator.studies.rational import RationalRound, under_each

if TYPE_CHECKING:
    from simulator.scenario import Scenario


@dataclass(frozen=True)
class Manipulability:
    """What misreporting does under one mediator.

    Attributes:
        mediator: its label.
        stakeholders: names in scenario order.
        rounds: how many rounds were looked at.
        pays: `(s,)` share of the rounds in which a misreport pays, per strategist.
        effects: `(s, n)` mean change of everybody's true utility from the strategist's honest to its best ballot; its
            own is what it gains, what is below 0 is what the others pay.
        strategists: `(s,)` rows of those who were let misreport, one at a time.
    """

    mediator: str
    stakeholders: tuple[str, ...]
    rounds: int
    pays: Floats
    effects: Floats
    strategists: tuple[int, ...]

    def row(self) -> dict[str, Any]:
        """One line of a table: the strategist who gains most, how often, how much, and who pays most for it."""
        own = self.effects[np.arange(len(self.strategists)), list(self.strategists)]
        best = int(np.argmax(own))
        effects = self.effects[best].copy()
        effects[self.strategists[best]] = 0.0
        payer = int(np.argmin(effects))
        nobody = own[best] < 5e-5
        return {
            "mediator": self.mediator,
            "pays": f"{self.pays.mean():.0%} of rounds",
            "mean gain": f"{own.mean():.4f}",
            "gains most": "-" if nobody else f"{self.stakeholders[self.strategists[best]]} {own[best]:+.4f}",
            "pays most": "-"
            if nobody or effects[payer] > -5e-5
            else f"{self.stakeholders[payer]} {effects[payer]:+.4f}",
        }

    def to_json(self) -> dict[str, Any]:
        """Everything as one JSON-able object."""
        return {
            "mediator": self.mediator,
            "rounds": self.rounds,
            "strategists": {
                self.stakeholders[place]: {
                    "pays": pays,
                    "effects": dict(zip(self.stakeholders, effects, strict=True)),
                }
                for place, pays, effects in zip(
                    self.strategists, self.pays.tolist(), self.effects.tolist(), strict=True
                )
            },
        }


def manipulability(
    scenario: Scenario,
    rules: Sequence[str],
    rounds: int = 50,
    *,
    strategist: str | None = None,
    method: Method = "best_response",
    effort: int = 500,
) -> tuple[list[Manipulability], list[str]]:
    """Let one stakeholder at a time misreport in rounds that are otherwise honest.

    Everyone is rational and everybody's ballot is known; the world goes on from the honest outcome, so every round's
    gain is that of a single lie. Lotteries are compared by the expected utility of the first item.

    Args:
        scenario: what is negotiated.
        rules: mediators to compare.
        rounds: how many rounds each decides.
        strategist: whose misreports; everybody's in turn if it is None.
        method, effort: as in `best_response`.

    Returns:
        A finding per mediator, and a line on every one that had to be left out.
    """
    names = tuple(party.name for party in scenario.parties)
    places = tuple(range(len(names))) if strategist is None else (names.index(strategist),)
    look = partial(_look, names=names, places=places, method=method, effort=effort)
    return under_each(scenario, rules, rounds, look)


def _look(
    label: str,
    played: Iterator[RationalRound],
    *,
    names: tuple[str, ...],
    places: tuple[int, ...],
    method: Method,
    effort: int,
) -> Manipulability:
    pays, effects, rounds = np.zeros(len(places)), np.zeros((len(places), len(names))), 0
    for each in played:
        rounds += 1
        for row, place in enumerate(places):
            vote = Vote(utilities=each.utilities[place], profile=each.profile, voter=place, **each.terms)
            found = best_response(vote, method, effort)
            if found.gain > 0:
                pays[row] += 1
                effects[row] += vote.effects(found.ballot, each.utilities)
    return Manipulability(label, names, rounds, pays / max(rounds, 1), effects / max(rounds, 1), places)
