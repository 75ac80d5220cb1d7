"""Schulze's rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost
from simulator.mediators.families.pairwise import Duels, Strength
from simulator.mediators.families.pairwise_rules import PairwiseMediator, Verdict
from simulator.mediators.families.paths import strongest_paths
from simulator.registry import register


@register("mediator", "schulze", "beat_path")
@dataclass(frozen=True)
class Schulze(PairwiseMediator):
    """An item beats another if its strongest path of majorities to it is stronger than the strongest path back.

    p(a,b) = max over paths from a to b of the smallest strength on the path, through pairs (x, y) with
    M(x,y) = N(x,y) - N(y,x) > 0, whose strength is N(x,y) (winning votes) or M(x,y) (margins); 0 without a path.
    a beats b if p(a,b) > p(b,a). This relation is transitive. Winners are all items that no item beats; the ranking is
    by the number of items that an item beats, equal numbers tie, so its first tier is a part of the winners, and the
    whole of them unless some tie. Batches are one array operation.

    Attributes:
        strength: of a majority. Both measures give the same outcome when every ballot ranks all items without ties.

    Source: M. Schulze, A new monotonic, clone-independent, reversal symmetric, and Condorcet-consistent single-winner
    election method, 2011.
    """

    strength: Strength = "winning_votes"

    name: ClassVar[str] = "schulze"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "condorcet", "monotone")
    cost: ClassVar[Cost] = "cubic"
    rule: ClassVar[str] = "s(a) = number of items b with p(a,b) > p(b,a), where p is the strength of the strongest path"

    def __post_init__(self) -> None:
        if self.strength not in ("winning_votes", "margins"):
            raise ValueError(f"strength is {self.strength!r}; it can be winning_votes or margins")

    @property
    def sentence(self) -> str:
        """The rule with its measure of a majority's strength."""
        measure = "the weight on its winning side" if self.strength == "winning_votes" else "its margin"
        return f"{self.rule} of majorities, each as strong as {measure}, a path as strong as its weakest majority"

    def judge(self, found: Duels) -> Verdict:
        """Rank by the number of items beaten along strongest paths."""
        paths = strongest_paths(found.strength(self.strength))
        beats = paths > np.swapaxes(paths, -1, -2)
        unbeaten = np.asarray(~beats.any(axis=-2))
        return Verdict(scores=beats.sum(axis=-1, dtype=np.float64), winners=unbeaten, paths=paths)
