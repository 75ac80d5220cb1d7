"""What an allocation is: weights of ballots from how fairly agents were treated and how well the request suits them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.profile import Floats
from simulator.seeds import generator


@dataclass(frozen=True)
class Allocation(ABC):
    """A way to share out one round among agents.

    Attributes:
        name: how it is called in `allocated(allocation=...)`.
    """

    name: ClassVar[str]

    @abstractmethod
    def allocate(self, fairness: Floats, compatibility: Floats, stakes: Floats, seed: int = 0) -> Floats:
        """Weights `(..., n)` of the agents, each at least 0; all 0 = nobody's turn.

        Args:
            fairness: `(..., n)` in 0..1, how fairly each agent was treated so far; 1 = it is owed nothing.
            compatibility: `(..., n)` in 0..1, how well the request suits it.
            stakes: `(..., n)` the agents' own weights, all positive: one of weight 2 stands for two.
            seed: of strategies that draw; the draws of a batch are independent.
        """


def normalised(scores: Floats) -> Floats:
    """Scores `(..., n)` of at least 0 divided by their sum; all 0 where nobody has any."""
    total = scores.sum(axis=-1, keepdims=True)
    return np.asarray(scores / np.where(total > 0, total, 1.0))


def drawn(chances: Floats, seed: int) -> Floats:
    """1 for one agent drawn by `chances` `(..., n)`, 0 for all others.

    Chances that sum to less than 1 leave the rest to nobody; a larger sum is divided by.
    """
    ends = np.cumsum(chances, axis=-1)
    total = ends.max(axis=-1, initial=0.0)[..., None]
    whole = np.where(total > 1 - 1e-12, total, 1.0)
    falls = generator(seed, "allocation").random(chances.shape[:-1])[..., None] * whole < ends
    falls[..., 1:] &= ~falls[..., :-1]  # the first stretch that ends beyond the draw
    return falls.astype(np.float64)


def one_of(candidates: Floats, stakes: Floats, seed: int) -> Floats:
    """1 for one of the agents marked in `candidates`, drawn by their stakes; all 0 where none is marked."""
    return drawn(normalised(candidates * stakes), seed)
