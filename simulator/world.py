"""The world: a Mesa model whose step is one negotiated round."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

import mesa
import numpy as np

from simulator.keys import error_line
from simulator.models.base import BudgetSpent
from simulator.models.create import create_model
from simulator.models.spec import ModelSpec, parse_model
from simulator.profile import Ints
from simulator.records import Event, Recorder, RoundRecord
from simulator.registry import create, find
from simulator.requests import Request
from simulator.rounds import loop
from simulator.rounds.cautions import Cautions
from simulator.rounds.draw import drawn_rows
from simulator.rounds.evaluation import Evaluator, round_columns, stakeholder_columns
from simulator.rounds.floor import RoundFloor
from simulator.rounds.publish import Publisher
from simulator.seeds import child_seed
from simulator.state import WorldState
from simulator.table import Candidates, Table
from simulator.tie import priority

if TYPE_CHECKING:
    from pathlib import Path

    from agents.base import Stakeholder
    from simulator.metrics.group_sums import GroupFigures
    from simulator.models.base import Model
    from simulator.models.journal import Journal
    from simulator.protocols.base import Negotiation
    from simulator.scenario import Party, Scenario


CLOSE_SECONDS = 10.0


class NegotiationWorld(mesa.Model):
    """A scenario as a Mesa model; `step()` negotiates one round.

    Its agents are the stakeholders, in scenario order; its data collector holds, per round, the same figures as
    rounds.csv and stakeholders.csv.

    Args:
        scenario: what is negotiated.
        seed: root of every random draw; the scenario's by default.
        model: replaces the language model of every stakeholder that has one, by name or as an AutoGen component.
        mediator: replaces the scenario's mediator; `world.mediator` may also be set between rounds.
        recorder: is given every event and every round as it is known.
        relay: puts something before every language model, such as a cache or a budget.

    Raises:
        ModelUnavailable: a model that the scenario needs cannot be asked here.
    """

    # a plain attribute: Mesa 3.5 has a property of this name, which writes into whatever it is given
    scenario: Scenario = cast("Scenario", None)

    def __init__(
        self,
        scenario: Scenario,
        *,
        seed: int | None = None,
        model: str | Mapping[str, Any] | None = None,
        mediator: str | Mapping[str, Any] | None = None,
        recorder: Recorder | None = None,
        relay: Callable[[Model], Model] | None = None,
    ) -> None:
        self.root_seed = scenario.file.seed if seed is None else seed
        super().__init__(rng=child_seed(self.root_seed, "mesa"))
        self.scenario = scenario
        self.mediator = scenario.mediator if mediator is None else create("mediator", mediator, scenario.base)
        self.round = 0
        self.state = WorldState()
        for dynamic in scenario.dynamics:
            self.state = dynamic.start(scenario.catalogue, self.state)
        self.memory: Mapping[str, Any] | None = None
        self.terms: Mapping[str, Any] = {}
        self.table: Table | None = None
        self.last_delivered = np.zeros(len(scenario.catalogue), dtype=np.int64)
        self.negotiation: Negotiation | None = None
        self.last: RoundRecord | None = None
        self._recorder = recorder
        self._journal: Journal | None = None
        self.publisher = Publisher(scenario)
        self._models: dict[str, Model | None] = {}
        self._relay = relay
        spec = None if model is None else parse_model(model)
        self.stakeholders: tuple[Stakeholder, ...] = tuple(
            self._seat(party, spec or party.model) for party in scenario.parties
        )
        self._weights = np.array([party.weight for party in scenario.parties])
        self._evaluator = Evaluator(scenario, self.stakeholders, self._weights)
        self._cautions = Cautions([party.name for party in scenario.parties], scenario.starvation)
        self.warnings = list(scenario.warnings)
        self._warned: set[tuple[str, str]] = set()
        self.datacollector = mesa.DataCollector(
            model_reporters={name: _round_figure(name) for name in round_columns(scenario.metrics)},
            agent_reporters={name: _own_figure(name) for name in stakeholder_columns(scenario.metrics)},
        )

    def step(self) -> None:
        """Negotiate one round: publish, propose, mediate, respond, evaluate, record, evolve.

        Raises:
            BudgetSpent: a token budget ended in this round, which is then not recorded.
        """
        started = time.perf_counter()
        self.round += 1
        events: list[Event] = []

        def emit(event: Event) -> None:
            events.append(event)
            if self._recorder is not None:
                self._recorder.event(event)

        request = self.asked
        rows = drawn_rows(self.scenario, self.publisher, request, self.state, seed=self.root_seed, number=self.round)
        candidates = self.publisher.candidates(request, self.state, rows)
        emit(self._request_event(request, candidates))
        self.table = Table(self.round, 1, request.shown, candidates, self.scenario.file.k)
        self.terms = {
            "mediator": self.mediator,
            "memory": self.memory,
            "k": self.scenario.file.k,
            "priority": self._tie_order(rows),
            "seed": child_seed(self.root_seed, "mediator", self.round),
        }
        floor = RoundFloor(
            number=self.round,
            stakeholders=self.stakeholders,
            weights=self._weights,
            request=request.shown,
            candidates=candidates,
            emit=emit,
            hears=self.scenario.hears,
            **self.terms,
        )
        try:
            self.negotiation = loop.run(self.scenario.protocol.negotiate(floor))
        except BaseExceptionGroup as several:  # the stakeholders are asked at the same time
            stop = _budget_spent(several)
            if stop is None:
                raise
            raise stop from None
        outcome = self.negotiation.turns[-1].outcome
        self.memory = outcome.memory
        row, figures = self._evaluator.rows(self.round, request, candidates, self.negotiation, floor.profiles)
        for caution in self._cautions.events(self.round, floor.profiles[-1], self._evaluator.history):
            emit(caution)
            self._warn(caution)
        delivered = rows[list(outcome.slate_indices)]
        self.last_delivered[delivered] = self.round
        for dynamic in self.scenario.dynamics:
            self.state = dynamic.deliver(self.state, delivered, request)
        self._report_manipulations(self.table, emit)
        emit(self._evolve_event(delivered))
        timings = [
            {"round": self.round, "stakeholder": name, "seconds": spent} for name, spent in floor.seconds.items()
        ]
        timings.append({"round": self.round, "stakeholder": "", "seconds": time.perf_counter() - started})
        self.last = RoundRecord(self.round, row, figures, events, timings)
        for stakeholder, own in zip(self.stakeholders, figures, strict=True):
            stakeholder.figures = own
        if self._recorder is not None:
            self._recorder.round(self.last)
        self.datacollector.collect(self)

    def record(self, recorder: Recorder, journal: Path | None = None) -> None:
        """Give events and rounds to a recorder from now on, and append model replies to a journal as they arrive."""
        self._recorder = recorder
        if journal is None:
            return
        asking = [stakeholder for stakeholder in self.stakeholders if stakeholder.llm is not None]
        if not asking:
            return  # AutoGen, which the journal speaks, takes half a second to import
        from simulator.models.journal import Journal, journaled

        self._journal = Journal(journal)
        for stakeholder in asking:
            assert stakeholder.llm is not None
            stakeholder.llm = journaled(stakeholder.llm, self._journal)

    def close(self) -> None:
        """Close the stakeholders and their models; what fails to close takes nothing from a run that is over."""

        async def close_all() -> None:
            models = [model for model in self._models.values() if model is not None]
            things: list[Stakeholder | Model] = [*self.stakeholders, *models]
            for thing in things:
                try:
                    await asyncio.wait_for(thing.close(), CLOSE_SECONDS)
                except Exception as error:
                    logging.getLogger(__name__).warning("%s was not closed: %s", thing.name, error_line(error))

        loop.run(close_all())
        if self._journal is not None:
            self._journal.close()

    @property
    def asked(self) -> Request:
        """The round's request with what was inferred about who asks, for arithmetic alone; no table has that."""
        return self.scenario.requests[(self.round - 1) % len(self.scenario.requests)]

    @property
    def group_figures(self) -> GroupFigures | None:
        """What groups of users got up to the last complete block of rounds; None where no groups are inferred."""
        groups = self._evaluator.history.groups
        return None if groups is None else groups.released

    @property
    def model_names(self) -> tuple[str, ...]:
        """The language models in use, without keys."""
        return tuple(dict.fromkeys("none" if model is None else model.name for model in self._models.values())) or (
            "none",
        )

    def _seat(self, party: Party, spec: ModelSpec | None) -> Stakeholder:
        if party.kind is None:
            raise ValueError("the scenario was loaded without its code and cannot run")
        if not party.kind.uses_model:
            return party.kind(self, party)
        assert spec is not None
        key = repr((spec.name, sorted(spec.params.items(), key=str)))
        if key not in self._models:
            made = create_model(spec, seed=child_seed(self.root_seed, "model"))
            self._models[key] = made if made is None or self._relay is None else self._relay(made)
        llm = self._models[key]
        if llm is None:
            from simulator.options import rational_options

            rational = find("stakeholder", "utility")
            made_party = rational_options(party, rational)
            seated: Stakeholder = rational(self, made_party)
            return seated
        return party.kind(self, party, llm)

    def _report_manipulations(self, table: Table, emit: Callable[[Event], None]) -> None:
        strategists = [member for member in self.stakeholders if member.honest is not None]
        if not strategists:
            return
        from simulator.rounds.manipulation_event import manipulation_event

        assert self.negotiation is not None
        opened = self.negotiation.openings
        for strategist in strategists:
            emit(manipulation_event(strategist, self.stakeholders, opened, table, self.terms))

    def _tie_order(self, rows: Ints) -> list[int]:
        seed = child_seed(self.root_seed, "tie", self.round)
        order = priority(self.scenario.file.tie, len(rows), seed=seed, last_delivered=self.last_delivered[rows])
        return [int(item) for item in order]

    def _warn(self, caution: Event) -> None:
        """Keep what a caution says the first time that it is given about somebody."""
        key = (caution["kind"], caution.get("stakeholder", ""))
        if key not in self._warned:
            self._warned.add(key)
            if caution["message"] not in self.warnings:
                self.warnings.append(caution["message"])

    def _request_event(self, request: Request, candidates: Candidates) -> Event:
        return {
            "event": "request",
            "round": self.round,
            "request": request.id,
            "text": request.text,
            "wish": request.wish,
            "filters": dict(request.filters),
            "month": request.month if request.month is not None else self.state.month,
            "unspoken": list(request.unspoken),
            "candidates": list(candidates.ids),
        }

    def _evolve_event(self, delivered: Ints) -> Event:
        ids = self.scenario.catalogue.ids
        arrays = {
            name: {ids[row]: value for row, value in zip(delivered.tolist(), array[delivered].tolist(), strict=True)}
            for name, array in self.state.items.items()
        }
        return {"event": "evolve", "round": self.round, "month": self.state.month, "arrays": arrays}


def _budget_spent(several: BaseExceptionGroup[Any]) -> BudgetSpent | None:
    found: BaseExceptionGroup[BudgetSpent] | BudgetSpent | None = several.subgroup(BudgetSpent)
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    return found


def _round_figure(name: str) -> Any:
    return lambda world: world.last.row[name]


def _own_figure(name: str) -> Any:
    return lambda stakeholder: stakeholder.figures[name]
