"""The Condorcet winner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.pairwise import Duels
from simulator.mediators.families.pairwise_rules import PairwiseScoreMediator
from simulator.profile import Floats
from simulator.registry import register


@register("mediator", "condorcet")
@dataclass(frozen=True)
class Condorcet(PairwiseScoreMediator):
    """The item that beats every other item by majority comes first and all others tie; without one, everything ties.

    s(a) = 1 if N(a,b) > N(b,a) for every other item b, else 0. Batches are one array operation.

    Source: M. de Condorcet, Essai sur l'application de l'analyse a la probabilite des decisions rendues a la pluralite
    des voix, 1785.
    """

    name: ClassVar[str] = "condorcet"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "condorcet", "monotone")
    rule: ClassVar[str] = "s(a) = 1 if a beats every other item by majority, else 0"

    def duel_scores(self, found: Duels) -> Floats:
        """Scores `(..., m)`."""
        return np.asarray(found.beats.sum(axis=-1) == found.m - 1, dtype=np.float64)
