"""Deliberation: propose, see the tentative outcome and the others' arguments, accept or revise."""

from __future__ import annotations

from dataclasses import dataclass

from simulator.profile import Proposal
from simulator.protocols.base import Ending, Floor, Negotiation, Protocol, Turn
from simulator.registry import register


@register("protocol", "deliberation")
@dataclass(frozen=True)
class Deliberation(Protocol):
    """Turns of proposals and answers until the accepting weight reaches the quorum or the turns are used up.

    A round in which too few accept and nobody changes anything is a deadlock and ends at once.

    Attributes:
        turns: most turns in a round, at least 1.
        quorum: share of the total weight that must accept, in (0, 1].
    """

    turns: int = 2
    quorum: float = 1.0

    def __post_init__(self) -> None:
        if self.turns < 1:
            raise ValueError(f"turns must be at least 1, found {self.turns}")
        if not 0 < self.quorum <= 1:
            raise ValueError(f"quorum must be in (0, 1], found {self.quorum}")

    async def negotiate(self, floor: Floor) -> Negotiation:
        """Propose, mediate, respond; those who revise hand in a new ballot for the next turn."""
        proposals = await floor.propose(1)
        spoke = tuple(proposals)
        done: list[Turn] = []
        ending: Ending = "limit"
        for number in range(1, self.turns + 1):
            outcome, justification = floor.mediate(proposals)
            last = number == self.turns
            responses = await floor.respond(number, proposals, outcome, justification, last=last)
            done.append(Turn(number, proposals, spoke, outcome, justification, responses))
            floor.close(done[-1])
            accepting = sum(
                weight
                for name, weight in zip(floor.stakeholders, floor.weights, strict=True)
                if responses[name].verdict == "accept"
            )
            if accepting >= self.quorum * sum(floor.weights) * (1 - 1e-9):
                ending = "agreement"
                break
            revised = {name: answer.proposal for name, answer in responses.items() if answer.proposal is not None}
            if not last and not any(_moves(proposals[name], ballot) for name, ballot in revised.items()):
                ending = "deadlock"  # too few accept and nobody moves: further turns would repeat this one
                break
            proposals = {**proposals, **revised}
            spoke = tuple(revised)
        return Negotiation(tuple(done), ending)


def _moves(before: Proposal, after: Proposal) -> bool:
    """Whether a new ballot could change anything: the outcome, or by its argument somebody's mind."""
    return (before.ranking, before.utilities, before.approvals, before.argument) != (
        after.ranking,
        after.utilities,
        after.approvals,
        after.argument,
    )
