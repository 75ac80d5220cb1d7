"""The human stakeholder: a person ranks the candidates and answers outcomes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from agents.base import Stakeholder
from agents.terminal import TerminalChannel
from simulator.profile import Proposal, Ranking
from simulator.registry import register
from simulator.table import Response, Table

if TYPE_CHECKING:
    import mesa

    from simulator.models.base import Model
    from simulator.scenario import Party


class Channel(Protocol):
    """How a person is asked; the terminal by default, the dashboard puts its own in place."""

    async def ranking(self, name: str, table: Table, suggestion: Ranking) -> tuple[Ranking, str] | None:
        """A ranking and an argument; None if the person gives none."""

    async def verdict(self, name: str, table: Table) -> bool | None:
        """Whether the person accepts the tentative outcome; None if there is no answer."""


@register("stakeholder", "human")
class HumanStakeholder(Stakeholder):
    """Asks a person, at the terminal or in the dashboard; waits for the answer as long as `patience` says.

    The person sees the request, the candidates with the attributes that its objective names, what the others said, and
    the ranking by its stated objective as a suggestion. No answer is an abstention, and no consent.
    """

    asks_person = True

    @dataclass(frozen=True)
    class Options(Stakeholder.Options):
        """Parameters.

        Attributes:
            patience: as above; a person is waited for without end by default.
        """

        patience: float = math.inf

    channel: ClassVar[Channel] = TerminalChannel()

    def __init__(self, world: mesa.Model, party: Party, llm: Model | None = None) -> None:
        super().__init__(world, party, llm)
        self._own_channel: Channel | None = None

    def ask_through(self, channel: Channel) -> None:
        """Ask this person through another channel from now on."""
        self._own_channel = channel

    async def propose(self, table: Table) -> Proposal:
        """The person's ranking."""
        suggestion = self.ballot(self.utilities(table), table).ranking
        answer = await self._channel.ranking(self.name, table, suggestion)
        if answer is None:
            return Proposal(Ranking(), details={"way": "human", "answer": "none"})
        return self._signed(*answer)

    async def respond(self, table: Table) -> Response:
        """The person's verdict, and another ranking if it is not accepted and another turn follows."""
        accepts = await self._channel.verdict(self.name, table)
        details: dict[str, Any] = {"way": "human"}
        if accepts:
            return Response("accept", details=details)
        if accepts is None or table.last:
            return Response("revise", details=details)
        own = table.own.ranking if table.own is not None else Ranking()
        answer = await self._channel.ranking(self.name, table, own)
        if answer is None:
            return Response("revise", details=details)
        proposal = self._signed(*answer)
        return Response("revise", proposal, proposal.argument, details)

    async def offer(self, table: Table) -> Proposal:
        """The person's ranking, whose best k items are its offer; what it offered before if it gives none."""
        assert table.own is not None
        answer = await self._channel.ranking(self.name, table, table.own.ranking)
        return table.own if answer is None else self._signed(*answer)

    @property
    def _channel(self) -> Channel:
        return self._own_channel or type(self).channel

    def _signed(self, ranking: Ranking, argument: str) -> Proposal:
        return Proposal(ranking, argument=argument, details={"way": "human"})
