"""The silent stakeholder: it never says anything."""

from __future__ import annotations

from agents.base import Stakeholder
from simulator.profile import Proposal, Ranking
from simulator.registry import register
from simulator.table import Response, Table


@register("stakeholder", "silent")
class SilentStakeholder(Stakeholder):
    """Abstains, accepts nothing and revises nothing; it is measured by its stated objective like everyone else."""

    immediate = True

    async def propose(self, table: Table) -> Proposal:
        """An abstention."""
        return Proposal(Ranking(), details={"way": "silent"})

    async def respond(self, table: Table) -> Response:
        """Silence is not consent."""
        return Response("revise", details={"way": "silent"})
