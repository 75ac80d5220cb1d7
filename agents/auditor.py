"""The fairness auditor: it argues from what groups of users got so far, as far as it is inferred who is in which."""

from __future__ import annotations

from agents.conversation import Conversation
from agents.language import LanguageStakeholder
from simulator.derivations.narrowing import Narrowing
from simulator.dynamics.group_attention import GroupAttention
from simulator.metrics.divergence import jensen_shannon_distance
from simulator.metrics.items import Columns
from simulator.profile import Proposal
from simulator.registry import register
from simulator.table import Table


@register("stakeholder", "auditor")
class AuditorStakeholder(LanguageStakeholder):
    """A language model that weighs, and that puts the groups' figures before its argument.

    Its objective names an attribute `narrowing`: what would bring together what groups of users are shown, by the
    shares that each group is thought to have in the round's user. The shares enter its ranking by arithmetic alone; it
    is told none of them, no more than anybody else. What it says of groups is about all users up to the last complete
    block of rounds. It always weighs, since a model could not read the attribute, which is described to nobody.
    """

    @property
    def way(self) -> str:
        """It weighs."""
        return "weigh"

    def evidence(self) -> str:
        """How far apart the groups are, in a sentence; "" before the first block, or if it watches no groups."""
        figures, by = self.model.group_figures, self._kinds()
        if figures is None or not figures.rounds or by is None:
            return ""
        names, codes = Columns(self.model.scenario.catalogue).groups(by)
        gap = float(jensen_shannon_distance(figures.kinds(codes, len(names))))
        if gap != gap:  # some group has seen nothing
            return ""
        return (
            f"What groups of users were shown differs by {gap:.2f} in {by} over the first {figures.rounds}; 0 is alike."
        )

    def _kinds(self) -> str | None:
        """The column by which its objective tells kinds of items apart."""
        scenario = self.model.scenario
        watched = {
            derivation.array
            for name in self.party.objective or {}
            if isinstance(derivation := scenario.derivations.get(name), Narrowing)
        }
        dynamics = (dynamic for dynamic in scenario.dynamics if isinstance(dynamic, GroupAttention))
        return next((dynamic.by for dynamic in dynamics if dynamic.array in watched), None)

    async def _argument(self, proposal: Proposal, table: Table, talk: Conversation) -> str:
        said = await super()._argument(proposal, table, talk)
        return f"{self.evidence()} {said}".strip()
