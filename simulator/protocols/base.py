"""What a protocol is: the order in which stakeholders propose, the mediator decides and stakeholders answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal
from typing import Protocol as Interface

from simulator.outcome import Outcome
from simulator.profile import Floats, Proposal
from simulator.table import Advice, Response

Ending = Literal["agreement", "limit", "deadlock", "sealed"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a round.

    Attributes:
        number: counts from 1.
        proposals: every stakeholder's current ballot, in scenario order.
        spoke: who handed in a new ballot in this turn.
        outcome: what the mediator made of the ballots.
        justification: why, in words.
        responses: what the stakeholders answered; empty if the protocol does not ask.
        opened: opening ballots whose place in `proposals` an offer of the same turn has taken.
    """

    number: int
    proposals: Mapping[str, Proposal]
    spoke: tuple[str, ...]
    outcome: Outcome
    justification: str
    responses: Mapping[str, Response] = field(default_factory=dict)
    opened: Mapping[str, Proposal] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Negotiation:
    """A negotiated round: its turns and how it ended."""

    turns: tuple[Turn, ...]
    ending: Ending

    @property
    def agreed(self) -> bool:
        """Whether it ended in agreement."""
        return self.ending == "agreement"

    @property
    def openings(self) -> dict[str, Proposal]:
        """The ballots that opened the round, in scenario order."""
        return {**self.turns[0].proposals, **self.turns[0].opened}


class Floor(Interface):
    """What a protocol can do in a round. Every call survives a failing stakeholder."""

    @property
    def items(self) -> Sequence[str]:
        """The candidates."""

    @property
    def k(self) -> int:
        """How many will be delivered."""

    @property
    def seed(self) -> int:
        """The round's seed, for what a protocol draws."""

    @property
    def stakeholders(self) -> Sequence[str]:
        """Names in scenario order."""

    @property
    def weights(self) -> Sequence[float]:
        """Weights in the vote, in the same order."""

    @property
    def reservations(self) -> Floats:
        """`(n,)` what a round without agreement is worth to each stakeholder, on the scale of utilities."""

    @property
    def discounts(self) -> Floats:
        """`(n,)` what a turn's delay leaves of a deal's worth to each stakeholder, in (0, 1]."""

    @property
    def relevance(self) -> Floats:
        """`(m,)` how well the candidates match what the request itself asks for, in [0, 1]; 1 if it asks nothing."""

    async def propose(self, turn: int) -> dict[str, Proposal]:
        """Ask every stakeholder for a ballot, all at once."""

    def mediate(self, proposals: Mapping[str, Proposal]) -> tuple[Outcome, str]:
        """The outcome of these ballots and its justification."""

    async def offer(
        self, turn: int, proposals: Mapping[str, Proposal], outcome: Outcome, advice: Mapping[str, Advice]
    ) -> dict[str, Proposal]:
        """Ask those who are named in `advice` for a new ballot, whose best k items are what they offer."""

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
        """Show the tentative outcome and the others' arguments to everyone, or to those who are named in `advice`."""

    def settle(self, outcome: Outcome) -> Outcome:
        """Take over an outcome that the parties found without the mediator; its memory stays what it was."""

    def close(self, turn: Turn) -> None:
        """Log a finished turn."""


class Protocol(ABC):
    """How one round is negotiated; parameters are the fields of a frozen dataclass."""

    @abstractmethod
    async def negotiate(self, floor: Floor) -> Negotiation:
        """Run the round on the floor; always ends."""
