"""The rational stakeholder: it ranks by its stated objective and needs no model."""

from __future__ import annotations

from agents.base import Stakeholder
from simulator.profile import Proposal
from simulator.registry import register
from simulator.table import Table


@register("stakeholder", "utility", "rational")
class UtilityStakeholder(Stakeholder):
    """Ranks the candidates by u_i(a) = sum_j |w_j| n_j(a) / sum_j |w_j| of its stated objective."""

    immediate = True

    async def propose(self, table: Table) -> Proposal:
        """Its true ranking."""
        objective = dict(self.objective(table.request))
        return self.ballot(self.utilities(table), table, way="utility", weights=objective)
