"""The floor of one round: asks stakeholders, all at once and whatever they do, and keeps what was said."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Container, Coroutine, Mapping, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from simulator.bargaining.deals import offered
from simulator.catalogue import utility
from simulator.faults import stand_in
from simulator.justification import justify
from simulator.keys import error_line
from simulator.mediators.base import Mediator
from simulator.outcome import Memory, Outcome
from simulator.profile import Floats, Profile, Proposal
from simulator.protocols.base import Turn
from simulator.records import Event
from simulator.requests import Request
from simulator.rounds.received import added, checked_proposal, checked_response
from simulator.rounds.turn_events import turn_events
from simulator.table import Advice, Candidates, Response, Table

if TYPE_CHECKING:
    from agents.base import Stakeholder

T = TypeVar("T")

_NO_COUNTS: dict[str, Any] = {"calls": 0, "prompt_tokens": 0, "completion_tokens": 0}  # counted when it was first made


class RoundFloor:
    """Implements `simulator.protocols.base.Floor`.

    Args:
        number: the round.
        stakeholders: in scenario order.
        weights: `(n,)` weights in the vote.
        request, candidates: what the round is about.
        k: size of the slate.
        mediator, memory, priority, seed: how ballots become an outcome.
        emit: is given every event.
        hears: whom each stakeholder hears, by name; everyone hears everyone if it is None.
    """

    def __init__(
        self,
        number: int,
        stakeholders: Sequence[Stakeholder],
        weights: Floats,
        request: Request,
        candidates: Candidates,
        k: int,
        mediator: Mediator,
        memory: Memory | None,
        priority: Sequence[int],
        seed: int,
        emit: Callable[[Event], None],
        hears: Mapping[str, Set[str]] | None = None,
    ) -> None:
        self._number = number
        self._members = {stakeholder.name: stakeholder for stakeholder in stakeholders}
        self._weights = weights
        self._request = request
        self._candidates = candidates
        self._k = k
        self._mediator = mediator
        self._memory = memory
        self._priority = priority
        self._seed = seed
        self._emit = emit
        self._hears = hears
        self.profiles: list[Profile] = []
        self.seconds = dict.fromkeys(self._members, 0.0)

    @property
    def stakeholders(self) -> Sequence[str]:
        """Names in scenario order."""
        return tuple(self._members)

    @property
    def weights(self) -> Sequence[float]:
        """Weights in the vote, in the same order."""
        return [float(weight) for weight in self._weights]

    @property
    def items(self) -> Sequence[str]:
        """The candidates."""
        return self._candidates.ids

    @property
    def k(self) -> int:
        """How many will be delivered."""
        return self._k

    @property
    def seed(self) -> int:
        """The round's seed, for what a protocol draws."""
        return self._seed

    @property
    def reservations(self) -> Floats:
        """`(n,)` from the stakeholders' options."""
        return np.array([member.options.reservation for member in self._members.values()], dtype=np.float64)

    @property
    def discounts(self) -> Floats:
        """`(n,)` from the stakeholders' options."""
        return np.array([member.options.discount for member in self._members.values()], dtype=np.float64)

    @property
    def relevance(self) -> Floats:
        """`(m,)` utility of the candidates by the request's own wishes; 1 if it has none."""
        wishes = self._request.objective
        if not wishes:
            return np.ones(len(self._candidates.ids))
        rows = [self._candidates.attribute_index[name] for name in wishes]
        return utility(self._candidates.normalised[rows], np.array(list(wishes.values())))

    async def propose(self, turn: int) -> dict[str, Proposal]:
        """Ask every stakeholder for a ballot, all at once; for one that fails its last ballot stands in."""
        table = Table(self._number, turn, self._request, self._candidates, self._k)
        return await self._everyone(lambda member: self._propose(member, table))

    def mediate(self, proposals: Mapping[str, Proposal]) -> tuple[Outcome, str]:
        """The outcome of these ballots and its justification."""
        profile = Profile.from_proposals(proposals, self._candidates.ids, self._weights)
        self.profiles.append(profile)
        terms: dict[str, Any] = {"k": self._k, "priority": self._priority, "seed": self._seed}
        outcome = self._mediator.mediate(profile, self._memory, **terms)
        if profile.utilities is None and self._mediator.needs != "ranking":
            outcome = replace(outcome, notes=(*_left_out(proposals), *outcome.notes))
        return outcome, justify(profile, outcome, self._mediator, memory=self._memory, **terms)

    async def offer(
        self, turn: int, proposals: Mapping[str, Proposal], outcome: Outcome, advice: Mapping[str, Advice]
    ) -> dict[str, Proposal]:
        """Ask those named in `advice` for a new ballot; for one that fails, the ballot in hand stands."""

        def ask(member: Stakeholder) -> Coroutine[Any, Any, Proposal]:
            table = self._table(member.name, turn, proposals, outcome, "", advice[member.name])
            return self._offer(member, table, proposals[member.name])

        return await self._everyone(ask, advice)

    async def respond(
        self,
        turn: int,
        proposals: Mapping[str, Proposal],
        outcome: Outcome,
        justification: str,
        *,
        last: bool,
        advice: Mapping[str, Advice] | None = None,
    ) -> dict[str, Response]:
        """Show the tentative outcome and the arguments that each one hears; one that fails keeps its ballot."""
        given = advice or {}

        def ask(member: Stakeholder) -> Coroutine[Any, Any, Response]:
            table = self._table(member.name, turn, proposals, outcome, justification, given.get(member.name), last)
            return self._respond(member, table)

        return await self._everyone(ask, advice)

    def settle(self, outcome: Outcome) -> Outcome:
        """Take over an outcome that the parties found without the mediator; its memory stays what it was."""
        return replace(outcome, memory=self._memory or {})

    def _table(
        self,
        name: str,
        turn: int,
        proposals: Mapping[str, Proposal],
        outcome: Outcome,
        justification: str,
        advice: Advice | None,
        last: bool = False,
    ) -> Table:
        """What one stakeholder sees in its turn: of the others' words and offers, those that it hears."""
        heard = [other for other in proposals if other != name and (self._hears is None or other in self._hears[name])]
        ids = self._candidates.ids
        offers = {}
        if advice is not None:
            offers = {other: tuple(ids[i] for i in offered(proposals[other], ids, self._k)) for other in heard}
        return Table(
            self._number,
            turn,
            self._request,
            self._candidates,
            self._k,
            outcome,
            justification,
            {other: proposals[other].argument for other in heard},
            offers,
            advice,
            proposals[name],
            last,
        )

    def close(self, turn: Turn) -> None:
        """Log a finished turn."""
        for event in turn_events(self._number, turn):
            self._emit(event)

    async def _everyone(
        self, ask: Callable[[Stakeholder], Coroutine[Any, Any, T]], names: Container[str] | None = None
    ) -> dict[str, T]:
        """What everyone (or those named) says, asked at the same time; if one stops the run, the others stop too."""
        members = {name: m for name, m in self._members.items() if names is None or name in names}
        said = {name: await ask(member) for name, member in members.items() if member.immediate}
        waiting = {name: member for name, member in members.items() if name not in said}
        if not waiting:
            return said
        async with asyncio.TaskGroup() as group:
            tasks = {name: group.create_task(ask(member)) for name, member in waiting.items()}
        return {name: said[name] if name in said else tasks[name].result() for name in members}

    async def _propose(self, member: Stakeholder, table: Table) -> Proposal:
        try:
            said = await self._asked(member, member.propose(table))
            proposal, found = checked_proposal(said, self._candidates)
        except Exception as error:  # a stakeholder's own code may fail in any way, and the round goes on
            return self._instead(member, _failure(error, member), {_kind(error): 1})
        if len(said.ranking) and not len(proposal.ranking):
            return self._instead(member, {"error": "none of the items that it ranks is on the table"}, found)
        proposal = replace(proposal, faults=added(proposal.faults, found))
        if len(proposal.ranking) and "last_ballots" not in proposal.faults:
            member.last = proposal
        return proposal

    def _instead(self, member: Stakeholder, why: Mapping[str, str], found: Mapping[str, int]) -> Proposal:
        proposal, repair = stand_in(member.last, self._candidates.index)
        faults = {**found, "partial_ballots": 0, repair: 1}
        return replace(proposal, details={**proposal.details, **why}, faults=added({}, faults))

    async def _offer(self, member: Stakeholder, table: Table, own: Proposal) -> Proposal:
        try:
            proposal, found = checked_proposal(await self._asked(member, member.offer(table)), self._candidates)
        except Exception as error:  # as above; what it offered before stands
            details = {**own.details, **_failure(error, member)}
            return replace(own, details=details, faults={_kind(error): 1, "last_ballots": 1}, **_NO_COUNTS)
        if not len(proposal.ranking):
            return replace(own, faults=added(found, {"last_ballots": 1}), **_NO_COUNTS)
        if proposal is own:
            return replace(own, faults={}, **_NO_COUNTS)
        return replace(proposal, faults=added(proposal.faults, found))

    async def _respond(self, member: Stakeholder, table: Table) -> Response:
        try:
            return checked_response(await self._asked(member, member.respond(table)), self._candidates)
        except Exception as error:  # as above; it neither accepts nor moves
            return Response("revise", details=_failure(error, member), faults={_kind(error): 1, "last_ballots": 1})

    async def _asked(self, member: Stakeholder, answer: Awaitable[T]) -> T:
        """Its answer, in its own time, if it comes before its patience ends.

        Raises:
            Silent: it did not.
        """
        started = time.perf_counter()
        patience = member.options.patience
        try:
            return await (answer if member.immediate or math.isinf(patience) else _within(patience, answer))
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise  # the run is being stopped
            raise RuntimeError("its own code cancelled the answer") from None
        finally:
            self.seconds[member.name] += time.perf_counter() - started


class Silent(Exception):
    """A stakeholder that did not answer in time."""


async def _within(seconds: float, answer: Awaitable[T]) -> T:
    try:
        async with asyncio.timeout(seconds) as limit:
            return await answer
    except TimeoutError:
        if limit.expired():
            raise Silent(f"no answer within {seconds:g} s") from None
        raise


def _left_out(proposals: Mapping[str, Proposal]) -> tuple[str, ...]:
    """Whose utilities do not count because others gave none; numbers on two scales would not be comparable."""
    cast = {name: proposal for name, proposal in proposals.items() if len(proposal.ranking)}
    gave = [name for name, proposal in cast.items() if proposal.utilities is not None]
    gave_none = [name for name, proposal in cast.items() if proposal.utilities is None]
    if not gave or not gave_none:
        return ()
    return (f"The utilities of {', '.join(gave)} are left out: {', '.join(gave_none)} gave a ranking alone.",)


def _kind(error: Exception) -> str:
    return "timeouts" if isinstance(error, Silent) else "errors"


def _failure(error: Exception, member: Stakeholder) -> dict[str, str]:
    secrets = () if member.llm is None else member.llm.secrets
    return {"error": error_line(error, secrets)}
