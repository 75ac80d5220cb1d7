"""What a protocol is: the order in which stakeholders propose, the mediator decides and stakeholders answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal
from typing import Protocol as Interface

from simulator.outcome import Outcome
from simulator.profile import Proposal
from simulator.table import Response

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
    """

    number: int
    proposals: Mapping[str, Proposal]
    spoke: tuple[str, ...]
    outcome: Outcome
    justification: str
    responses: Mapping[str, Response] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Negotiation:
    """A negotiated round: its turns and how it ended."""

    turns: tuple[Turn, ...]
    ending: Ending

    @property
    def agreed(self) -> bool:
        """Whether it ended in agreement."""
        return self.ending == "agreement"


class Floor(Interface):
    """What a protocol can do in a round. Every call survives a failing stakeholder."""

    @property
    def stakeholders(self) -> Sequence[str]:
        """Names in scenario order."""

    @property
    def weights(self) -> Sequence[float]:
        """Weights in the vote, in the same order."""

    async def propose(self, turn: int) -> dict[str, Proposal]:
        """Ask every stakeholder for a ballot, all at once."""

    def mediate(self, proposals: Mapping[str, Proposal]) -> tuple[Outcome, str]:
        """The outcome of these ballots and its justification."""

    async def respond(
        self, turn: int, proposals: Mapping[str, Proposal], outcome: Outcome, justification: str, *, last: bool
    ) -> dict[str, Response]:
        """Show everyone the tentative outcome and the others' arguments, all at once."""

    def close(self, turn: Turn) -> None:
        """Log a finished turn."""


class Protocol(ABC):
    """How one round is negotiated; parameters are the fields of a frozen dataclass."""

    @abstractmethod
    async def negotiate(self, floor: Floor) -> Negotiation:
        """Run the round on the floor; always ends."""
