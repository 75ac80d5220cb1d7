"""Split Cycle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost
from simulator.mediators.families.pairwise import Duels
from simulator.mediators.families.pairwise_rules import PairwiseMediator, Verdict
from simulator.mediators.families.paths import strongest_paths
from simulator.registry import register


@register("mediator", "split_cycle")
@dataclass(frozen=True)
class SplitCycle(PairwiseMediator):
    """In every cycle of majorities the smallest margins are dropped; what is left are defeats.

    a defeats b if M(a,b) > 0 and M(a,b) > p(b,a), the strongest path of margins from b back to a: then the pair is not
    among the smallest margins of any cycle. Defeats have no cycles, and winners are all undefeated items. The ranking
    continues from there: first the undefeated items, next those that only these defeat, and so on, that is, by the
    length of the longest chain of defeats that ends in an item; equal lengths tie. Batches are one array operation.

    Source: W. H. Holliday, E. Pacuit, Split Cycle: a new Condorcet-consistent voting method independent of clones and
    immune to spoilers, 2023.
    """

    name: ClassVar[str] = "split_cycle"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "condorcet", "monotone")
    cost: ClassVar[Cost] = "cubic"
    rule: ClassVar[str] = (
        "of every cycle of majorities the smallest margins are dropped; items stand by the longest chain of the "
        "remaining defeats above them"
    )

    def judge(self, found: Duels) -> Verdict:
        """Rank by the longest chain of defeats above each item."""
        margins = found.strength("margins")
        paths = strongest_paths(margins)
        defeats = margins > np.swapaxes(paths, -1, -2)
        depth = np.zeros(found.support.shape[:-1], dtype=np.int64)
        for _ in range(found.m):
            deeper = np.where(defeats, depth[..., :, None] + 1, 0).max(axis=-2)
            if (deeper == depth).all():
                break
            depth = deeper
        return Verdict(ranks=depth, paths=paths)
