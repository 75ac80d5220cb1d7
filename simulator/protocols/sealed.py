"""Sealed: one ballot each, one decision."""

from __future__ import annotations

from dataclasses import dataclass

from simulator.protocols.base import Floor, Negotiation, Protocol, Turn
from simulator.registry import register


@register("protocol", "sealed")
@dataclass(frozen=True)
class Sealed(Protocol):
    """Everyone proposes at once without knowing the others' ballots; the mediator decides; nobody answers."""

    async def negotiate(self, floor: Floor) -> Negotiation:
        """One turn."""
        proposals = await floor.propose(1)
        outcome, justification = floor.mediate(proposals)
        turn = Turn(1, proposals, tuple(proposals), outcome, justification)
        floor.close(turn)
        return Negotiation((turn,), "sealed")
