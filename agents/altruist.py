"""The altruist: it wants what is best for everyone."""

from __future__ import annotations

import numpy as np

from agents.base import Stakeholder
from simulator.profile import Floats, Proposal
from simulator.registry import register
from simulator.table import Table


@register("stakeholder", "altruist")
class AltruistStakeholder(Stakeholder):
    """Ranks by the mean of all stakeholders' utilities, its own among them, weighted as in the vote.

    It knows everybody's objective. Figures such as `utility` and `alignment` still measure it by its own.
    """

    immediate = True

    def judge(self, table: Table) -> Floats:
        """The weighted mean utility of everyone, `(m,)`."""
        everyone = self.model.stakeholders
        weights = np.array([other.party.weight for other in everyone])
        return np.asarray(weights @ np.array([other.utilities(table) for other in everyone]) / weights.sum())

    async def propose(self, table: Table) -> Proposal:
        """Its ranking by the common good."""
        return self.ballot(self.judge(table), table, way="altruist")
