"""The cases that a jury judges: each round's outcome as each stakeholder with a goal in words sees it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.alignment.jury_words import Case, case
from simulator.alignment.serving import rating, standing
from simulator.inputs.yamlfile import InputError, Problem
from simulator.profile import Floats, Ints
from simulator.records import Event
from simulator.studies.outcomes import delivered_rounds
from simulator.studies.rational import rational_rounds

if TYPE_CHECKING:
    import pandas as pd

    from simulator.runs import Run
    from simulator.scenario import Scenario

_SAME = 1e-6


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The n cases of a run: one a round and stakeholder with a goal in words.

    Attributes:
        cases: in words, for the jury.
        rounds: `(n,)`.
        stakeholders: n names.
        standing: `(n,)` how far the slate goes from chance towards the stakeholder's best one; nan where that cannot be
            told: it values nothing, all slates are alike to it, or its logged utility is not that of its objective.
        unlike: how many cases there are of the last kind.
    """

    cases: tuple[Case, ...]
    rounds: Ints
    stakeholders: tuple[str, ...]
    standing: Floats
    unlike: int = 0

    @property
    def stated(self) -> Ints:
        """`(n,)` the rating that the stated objective gives, -1 where it gives none."""
        return rating(self.standing)


def outcomes_of(scenario: Scenario, run: Run, most: int | None = None) -> Outcomes:
    """The cases of a finished run.

    Args:
        scenario: what was run.
        run: its log.
        most: the first so many rounds alone.

    Raises:
        InputError: no stakeholder has a goal in words, no round was finished, or log and scenario do not belong
            together.
    """
    return _outcomes(scenario, run.events("request"), _slates(run.rounds, most), _logged(run.stakeholders))


def rational_outcomes(scenario: Scenario, rounds: int) -> Outcomes:
    """The cases of rounds that rational stakeholders play with sealed ballots, without a model.

    Raises:
        InputError: no stakeholder has a goal in words.
    """
    events: list[Event] = []
    slates: dict[int, str] = {}
    ids, requests = scenario.catalogue.ids, scenario.requests
    for number, each in enumerate(rational_rounds(scenario, scenario.mediator, rounds), start=1):
        table = [ids[row] for row in each.rows.tolist()]
        request = requests[(number - 1) % len(requests)].id
        events.append({"event": "request", "round": number, "request": request, "candidates": table})
        slates[number] = "|".join(table[place] for place in each.slate.tolist())
    return _outcomes(scenario, events, slates, {})


def _outcomes(
    scenario: Scenario,
    events: Iterable[Event],
    slates: Mapping[int, str],
    logged: Mapping[tuple[int, str], float],
) -> Outcomes:
    if not any(party.goal.strip() for party in scenario.parties):
        raise InputError([Problem(scenario.name, "no stakeholder has a 'goal' in words, so there is nothing to judge")])
    cases, rounds, names, standings, unlike = [], [], [], [], 0
    for each in delivered_rounds(scenario, events, slates):
        reached = standing(each.utilities, each.slate)
        for place, party in enumerate(scenario.parties):
            goal = each.request.fill(party.goal)
            own_words = party.objective is None
            given = case(f"{each.round}/{party.name}", goal, each.request, each.candidates, each.slate, own_words)
            if not given.goal:
                continue
            differs = bool(abs(logged.get((each.round, party.name), np.nan) - each.served[place]) > _SAME)
            unlike += differs
            cases.append(given)
            rounds.append(each.round)
            names.append(party.name)
            standings.append(np.nan if differs else float(reached[place]))
    if not cases:
        raise InputError([Problem(scenario.name, "the run has no finished round in which somebody has a goal")])
    return Outcomes(tuple(cases), np.array(rounds, dtype=np.int64), tuple(names), np.array(standings), unlike)


def _slates(rounds: pd.DataFrame, most: int | None) -> dict[int, str]:
    if "slate" not in rounds or "round" not in rounds:
        return {}
    pairs: Sequence[tuple[float, Any]] = list(zip(_numbers(rounds["round"]), rounds["slate"], strict=True))
    return {int(number): slate for number, slate in pairs[:most] if number == number and isinstance(slate, str)}


def _logged(stakeholders: pd.DataFrame) -> dict[tuple[int, str], float]:
    """Utilities of stakeholders.csv; nothing if that metric was not logged."""
    if not {"round", "stakeholder", "utility"} <= set(stakeholders.columns):
        return {}
    keys = zip(
        _numbers(stakeholders["round"]), stakeholders["stakeholder"], _numbers(stakeholders["utility"]), strict=True
    )
    return {(int(number), str(name)): value for number, name, value in keys if number == number}


def _numbers(column: Any) -> list[float]:
    """A column of a file that somebody may have edited; nan for what is no number."""
    import pandas as pd

    return [float(value) for value in pd.to_numeric(column, errors="coerce")]
