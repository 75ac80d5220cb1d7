"""The random stakeholder: a ranking by lot, as a floor for everything else."""

from __future__ import annotations

from agents.base import Stakeholder
from simulator.profile import Proposal
from simulator.registry import register
from simulator.seeds import generator
from simulator.table import Table


@register("stakeholder", "random")
class RandomStakeholder(Stakeholder):
    """Ranks the candidates in a random order, drawn by the run's seed, its name and the round."""

    immediate = True

    async def propose(self, table: Table) -> Proposal:
        """A random ranking; its utilities fall from 1 to 0 in equal steps."""
        m = len(table.candidates.ids)
        places = generator(self.model.root_seed, "random stakeholder", self.name, table.round).permutation(m)
        return self.ballot(places / max(m - 1, 1), table, way="random")
