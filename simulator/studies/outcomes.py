"""What the rounds of a finished run delivered, and what else they could have: its tables, reckoned again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.catalogue import utility
from simulator.inputs.yamlfile import InputError, Problem
from simulator.profile import Floats, Ints
from simulator.requests import Request
from simulator.rounds.publish import Publisher
from simulator.state import WorldState
from simulator.studies.rational import objectives
from simulator.table import Candidates

if TYPE_CHECKING:
    from simulator.records import Event
    from simulator.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Delivered:
    """One round of a run.

    Attributes:
        round: counts from 1.
        request: what it was about, as the stakeholders were shown it.
        candidates: the m items on the table, with their attributes at that moment.
        slate: `(k,)` the delivered ones as places in `candidates.ids`, best first.
        utilities: `(n, m)` by the stakeholders' stated objectives, in scenario order; nan where one values nothing.
    """

    round: int
    request: Request
    candidates: Candidates
    slate: Ints
    utilities: Floats

    @property
    def served(self) -> Floats:
        """`(n,)` mean utility of the delivered items."""
        return np.asarray(self.utilities[:, self.slate].mean(axis=1))


def delivered_rounds(scenario: Scenario, events: Iterable[Event], slates: Mapping[int, str]) -> Iterator[Delivered]:
    """The finished rounds of a run, from its log and its scenario alone; nobody is asked.

    Args:
        scenario: what was run; the state of its world follows from what was delivered.
        events: the run's events, or those called `request`.
        slates: what every finished round delivered, ids joined by `|`; events of other rounds are left out.

    Raises:
        InputError: an attribute or a dynamic is code that was not imported, or the log names a request or an item that
            the scenario does not have.
    """
    missing = [a.name for a in scenario.attributes if a.name not in {**scenario.derivations, **scenario.columns}]
    if missing or len(scenario.dynamics) < len(scenario.file.dynamics):
        what = f"attribute '{missing[0]}'" if missing else "one of its dynamics"
        raise InputError([Problem(scenario.name, f"{what} is code of its own, which is not run to look back on a run")])
    publisher, requests = Publisher(scenario), {request.id: request for request in scenario.requests}
    state = WorldState()
    for dynamic in scenario.dynamics:
        state = dynamic.start(scenario.catalogue, state)
    for event in events:
        if event.get("event") != "request" or event.get("round") not in slates:
            continue
        number = event["round"]
        request = requests.get(str(event.get("request")))
        if request is None:
            raise InputError([Problem(f"round {number}", f"its request {event.get('request')!r:.60} is not known")])
        rows = _rows(scenario, number, event.get("candidates"))
        candidates = publisher.candidates(request, state, rows)
        chosen = _rows(scenario, number, slates[number].split("|"))
        place = {row: at for at, row in enumerate(rows.tolist())}
        if not all(row in place for row in chosen.tolist()):
            raise InputError([Problem(f"round {number}", "it delivered an item that was not on the table")])
        wanted = objectives(scenario, request)
        wants_something = np.any(wanted, axis=1, keepdims=True)
        valued = np.where(wants_something, utility(candidates.normalised, wanted), np.nan)
        slate = np.array([place[row] for row in chosen.tolist()], dtype=np.int64)
        yield Delivered(number, request.shown, candidates, slate, valued)
        for dynamic in scenario.dynamics:
            state = dynamic.deliver(state, chosen, request)


def _rows(scenario: Scenario, number: int, names: Any) -> Ints:
    """Rows of the catalogue that the log names."""
    index = scenario.catalogue.index
    known = isinstance(names, list) and bool(names) and all(isinstance(name, str) and name in index for name in names)
    if not known:
        raise InputError([Problem(f"round {number}", "its log names items that the catalogue does not have")])
    return np.array([index[name] for name in names], dtype=np.int64)
