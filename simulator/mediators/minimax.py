"""Minimax, also called maximin or the Simpson-Kramer rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from simulator.mediators.families.pairwise import Duels
from simulator.mediators.families.pairwise_rules import PairwiseScoreMediator
from simulator.profile import Floats
from simulator.registry import register

_WORDS = {
    "margins": "the largest margin M(b,a) by which another item beats a (negative if a beats every other item)",
    "winning_votes": "the largest weight N(b,a) of a majority for another item over a, 0 if there is none",
    "pairwise_opposition": "the largest weight N(b,a) for another item over a, majority or not",
}


@register("mediator", "minimax", "maximin")
@dataclass(frozen=True)
class Minimax(PairwiseScoreMediator):
    """The item whose worst defeat is smallest comes first.

    s(a) = -max_b M(b,a) with M(b,a) = N(b,a) - N(a,b) for margins; s(a) = -max {N(b,a) : M(b,a) > 0}, 0 if nothing
    beats a, for winning votes; s(a) = -max_b N(b,a) for pairwise opposition. All three have the same winners when
    every ballot ranks all items without ties. A single item scores 0. Equal scores tie. Batches are one array
    operation.

    Attributes:
        strength: how a defeat is measured. With `pairwise_opposition` the rule may miss a Condorcet winner where
            ballots are incomplete, so then it does not claim `condorcet`.

    Source: P. B. Simpson, On defining areas of voter choice, 1969; G. H. Kramer, A dynamical model of political
    equilibrium, 1977.
    """

    strength: Literal["margins", "winning_votes", "pairwise_opposition"] = "margins"

    name: ClassVar[str] = "minimax"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "condorcet", "monotone")
    rule: ClassVar[str] = "s(a) = minus the worst defeat of a in a duel"

    def __post_init__(self) -> None:
        if self.strength not in _WORDS:
            raise ValueError(f"strength is {self.strength!r}; it can be {', '.join(_WORDS)}")
        if self.strength == "pairwise_opposition":
            object.__setattr__(self, "properties", tuple(p for p in type(self).properties if p != "condorcet"))

    @property
    def sentence(self) -> str:
        """The rule with its measure of a defeat."""
        return f"s(a) = minus {_WORDS[self.strength]}"

    def duel_scores(self, found: Duels) -> Floats:
        """Scores `(..., m)`."""
        if found.m == 1:
            return np.zeros(found.support.shape[:-1])
        if self.strength == "margins":
            # margins are antisymmetric: the worst defeat of a is the least margin in its row; a's own 0 must not count
            least = np.iinfo(found.margins.dtype).max if found.margins.dtype.kind == "i" else np.inf
            itself = np.eye(found.m, dtype=np.bool_)
            return np.asarray(np.where(itself, least, found.margins).min(axis=-1), dtype=np.float64)
        defeats = found.strength("winning_votes") if self.strength == "winning_votes" else found.opposed
        return np.asarray(0.0 - defeats.max(axis=-2))
