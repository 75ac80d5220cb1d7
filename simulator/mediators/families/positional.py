"""Rules that give points for positions: the same points for the same position on every ballot."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Literal

import numpy as np

from simulator.mediators.base import ScoreMediator
from simulator.profile import Floats, Ints, Profile, spans, tied_rows

Truncation = Literal["tied_last", "zero_points"]


@dataclass(frozen=True)
class PositionalMediator(ScoreMediator):
    """A rule that gives an item the points of its position; tied items share the average over the positions they span.

    Rules whose formula speaks of the position itself (Borda, Dowdall, rank fusion) take the average position.

    Attributes:
        truncation: what unranked items get: tied_last, as one tied tier at the bottom; zero_points, nothing.
    """

    truncation: Truncation = "tied_last"

    def __post_init__(self) -> None:
        if self.truncation not in ("tied_last", "zero_points"):
            raise ValueError(f"truncation is {self.truncation!r}; it can be tied_last or zero_points")

    @abstractmethod
    def place_points(self, m: int) -> Floats:
        """The points `(m,)` of the positions, the first position's first."""

    def points(self, profile: Profile) -> Floats:
        """The points `(..., n, m)` of the positions that every ballot puts the items on."""
        return self.without_unranked(points_of_positions(profile.ranks, self.place_points(profile.m)), profile.ranks)

    def without_unranked(self, points: Floats, ranks: Ints) -> Floats:
        """The points, 0 for unranked items if `truncation` says so."""
        return points if self.truncation == "tied_last" else np.where(ranks < ranks.shape[-1], points, 0.0)


def points_of_positions(ranks: Ints, vector: Floats) -> Floats:
    """Points `(..., m)` of the items on ballots `(..., m)`, averaged over the positions that a tie spans.

    Args:
        ranks: tiers, unranked items (tier m) are one tied tier at the bottom.
        vector: `(m,)` points of the positions.
    """
    m = ranks.shape[-1]
    flat = ranks.reshape(-1, m)
    tied = tied_rows(flat)
    if not tied.any():
        return np.asarray(vector[ranks])
    cells, before, after = spans(flat if tied.all() else flat[tied])
    sums = np.concatenate([[0.0], np.cumsum(vector)])
    means = (sums[after] - sums[before]) / np.maximum(after - before, 1)
    alone = after - before == 1
    means[alone] = vector[before[alone]]  # to the last bit, where nothing is averaged
    if tied.all():
        return np.asarray(means.ravel()[cells].reshape(ranks.shape))
    result: Floats = vector[np.minimum(flat, m - 1)]
    result[tied] = means.ravel()[cells]
    return result.reshape(ranks.shape)
