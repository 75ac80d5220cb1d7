"""The greedy newcomer: it joins late, wants its own best and gives way to nobody."""

from __future__ import annotations

from dataclasses import dataclass

from agents.base import Stakeholder
from simulator.profile import Proposal, Ranking
from simulator.registry import register
from simulator.table import Response, Table


@register("stakeholder", "newcomer")
class NewcomerStakeholder(Stakeholder):
    """Abstains until the round in which it arrives; from then on it accepts its own best slate and nothing else.

    Its ballot gives its k best items full utility and all others none, as loud as a ballot can be.
    """

    immediate = True

    @dataclass(frozen=True)
    class Options(Stakeholder.Options):
        """Parameters.

        Attributes:
            arrives: the first round in which it takes part, at least 1.
        """

        accept_at: float = 1.0
        concession: float = 0.0
        arrives: int = 1

        def __post_init__(self) -> None:
            super().__post_init__()
            if self.arrives < 1:
                raise ValueError(f"arrives must be at least 1, found {self.arrives}")

    async def propose(self, table: Table) -> Proposal:
        """Its own order; utility 1 for what is worth as much as its k-th best item, else 0."""
        if table.round < self.options.arrives:
            return Proposal(Ranking(), details={"way": "not there yet"})
        utilities = self.utilities(table)
        honest = self.ballot(utilities, table)
        line = sorted(utilities.tolist(), reverse=True)[table.k - 1]
        loud = {item: float(value >= line) for item, value in zip(table.candidates.ids, utilities, strict=True)}
        return Proposal(honest.ranking, utilities=loud, details={"way": "newcomer"})

    async def respond(self, table: Table) -> Response:
        """Nothing before it arrives; then its best or nothing."""
        if table.round < self.options.arrives:
            return Response("revise", details={"way": "not there yet"})
        return await super().respond(table)
