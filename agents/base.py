"""What a stakeholder is: a mesa.Agent that answers `propose`, and may answer `respond`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import mesa
import numpy as np

from simulator.catalogue import utility
from simulator.profile import Floats, Proposal, Ranking
from simulator.requests import Request
from simulator.rounds.ballots import concede, ranking_by, satisfaction
from simulator.table import Candidates, Response, Table

if TYPE_CHECKING:
    from simulator.models.base import Model
    from simulator.scenario import Party


class Stakeholder(mesa.Agent, ABC):
    """A party of the negotiation, in `world.agents`.

    Subclass it, write `propose`, and name the class in a scenario as `./file.py:Class` or `module:Class`.

    Attributes:
        uses_model: whether the class needs a language model.
        asks_person: whether a person answers for it.
        files: names of its options that are files, relative to the scenario file; a run folder keeps a copy.
        immediate: whether it answers without waiting for anything; it is then asked without a task and a time limit,
            which would take longer than the answer. Not inherited: what a subclass adds may take its time.
        party: its entry in the scenario.
        options: its parameters, an instance of the class's `Options`.
        llm: its language model; None if it has none.
        figures: its line of stakeholders.csv for the last round.
        honest: the ballot that says what it thinks, of a stakeholder that may say something else; None for others.
        last: the ballot with which it last opened a round by itself; stands in for it when it cannot answer.
    """

    uses_model: ClassVar[bool] = False
    asks_person: ClassVar[bool] = False
    files: ClassVar[tuple[str, ...]] = ()
    immediate: ClassVar[bool] = False

    @dataclass(frozen=True)
    class Options:
        """Parameters, given in the scenario as `agent: name(accept_at=0.8)`.

        Attributes:
            accept_at: it accepts a slate worth at least this share of its own best slate, in [0, 1].
            concession: how far a revised ballot moves towards the tentative outcome, in [0, 1].
            reservation: what a round without agreement is worth to it, in [0, 1]; it bargains for more than that.
            discount: what a turn's delay leaves of a deal's worth, in (0, 1]; for protocols with offers.
            patience: seconds after which it counts as silent; `.inf` waits for ever. Code that blocks without awaiting
                cannot be interrupted.
        """

        accept_at: float = 0.9
        concession: float = 0.25
        reservation: float = 0.0
        discount: float = 1.0
        patience: float = 600.0

        def __post_init__(self) -> None:
            if not self.patience > 0:
                raise ValueError(f"patience must be above 0, found {self.patience}")
            for name in ("accept_at", "concession", "reservation"):
                if not 0 <= getattr(self, name) <= 1:
                    raise ValueError(f"{name} must be in [0, 1], found {getattr(self, name)}")
            if not 0 < self.discount <= 1:
                raise ValueError(f"discount must be in (0, 1], found {self.discount}")

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        cls.immediate = cls.__dict__.get("immediate", False)

    def __init__(self, world: mesa.Model, party: Party, llm: Model | None = None) -> None:
        super().__init__(world)
        self.party = party
        self.options: Any = party.options
        self.llm = llm
        self.figures: dict[str, Any] = {}
        self.honest: Proposal | None = None
        self.last: Proposal | None = None
        self._known: tuple[Candidates | None, Floats] = (None, np.empty(0))

    @property
    def name(self) -> str:
        """Its name in the scenario."""
        return self.party.name

    def objective(self, request: Request) -> Mapping[str, float]:
        """Its stated objective: signed weights per attribute; the request's wishes if the scenario says so."""
        return request.objective if self.party.objective is None else self.party.objective

    def utilities(self, table: Table) -> Floats:
        """Utilities `(m,)` of the candidates by the stated objective; 0.5 for all if it values nothing this round."""
        if self._known[0] is not table.candidates:
            self._known = table.candidates, self.utilities_by(self.objective(table.request), table)
        return self._known[1].copy()

    def utilities_by(self, objective: Mapping[str, float], table: Table) -> Floats:
        """Utilities `(m,)` of the candidates by any signed weights."""
        if not objective:
            return np.full(len(table.candidates.ids), 0.5)
        rows = [table.candidates.attribute_index[name] for name in objective]
        return utility(table.candidates.normalised[rows], np.array(list(objective.values())))

    def judge(self, table: Table) -> Floats:
        """Utilities `(m,)` by which it answers an outcome: the stated ones, unless it believes something else."""
        return self.utilities(table)

    @abstractmethod
    async def propose(self, table: Table) -> Proposal:
        """Its first ballot of the round."""

    async def respond(self, table: Table) -> Response:
        """Accept the tentative outcome if its slate is worth `accept_at` of one's own best, else concede a step.

        The revised ballot ranks by `simulator.rounds.ballots.concede`, which starts from `judge` in every turn: what it
        has conceded before changes neither what it wants nor what it accepts. Where the protocol has a textbook
        strategy, it follows that.
        """
        assert table.tentative is not None
        if table.advice is not None and table.advice.accept is not None:
            verdict: Literal["accept", "revise"] = "accept" if table.advice.accept else "revise"
            return Response(verdict, details={"advice": table.advice.reason})
        utilities = self.judge(table)
        share = satisfaction(utilities, table.tentative.slate_indices)
        details = {"satisfaction": round(share, 6), "accept_at": self.options.accept_at}
        if share >= self.options.accept_at - 1e-9:
            return Response("accept", details=details)
        if table.last:
            return Response("revise", details=details)
        if table.advice is not None and table.advice.slate is not None:
            return Response("revise", self._advised(table), details=details)
        moved = concede(utilities, table.tentative, self.options.concession)
        return Response("revise", self.ballot(moved, table, way="concession"), details=details)

    async def offer(self, table: Table) -> Proposal:
        """A ballot whose best k items are its offer, in protocols where parties make offers: as the textbook has it.

        Without advice it keeps its ballot.
        """
        assert table.own is not None
        return table.own if table.advice is None or table.advice.slate is None else self._advised(table)

    def _advised(self, table: Table) -> Proposal:
        """The advised slate before all other items; inside and outside of it its own order."""
        assert table.advice is not None
        assert table.advice.slate is not None
        ids = table.candidates.ids
        chosen = {ids[item] for item in table.advice.slate}
        own = ranking_by(self.judge(table), ids).tiers
        split = (tuple(item for item in tier if (item in chosen) == inside) for inside in (True, False) for tier in own)
        details = {"way": "offer", "advice": table.advice.reason}
        return Proposal(Ranking(tuple(tier for tier in split if tier)), details=details)

    def ballot(self, utilities: Floats, table: Table, *, argument: str = "", **details: Any) -> Proposal:
        """A proposal that ranks the candidates by utilities `(m,)`."""
        ids = table.candidates.ids
        return Proposal(
            ranking=ranking_by(utilities, ids),
            utilities=dict(zip(ids, utilities.tolist(), strict=True)),
            argument=argument,
            details=details,
        )

    async def close(self) -> None:
        """Let go of what it holds, at the end of a run."""
