"""What a mediator decides on many profiles at once, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simulator.outcome import TOLERANCE
from simulator.profile import Bools, Floats, Ints


@dataclass(frozen=True)
class BatchOutcome:
    """The decisions on a batch of profiles over the same items.

    Attributes:
        mediator: the rule with its parameters, as `name(key=value)`.
        items: the m items in item order.
        k: the slates' size.
        scores: `(..., m)`, larger is better; None for rules without scores.
        priority: `(m,)` tie order as item indices, first wins.
        given_ranks: `(..., m)` tiers, for rules whose order does not follow from scores.
        given_order: `(..., m)` item indices, for rules whose delivered order does not follow from the tiers.
        given_winners: `(..., m)`, for rules whose tied winners are not simply the first tier.
        sizes: `(..., m)` magnitudes of the terms added up to each score, where they can cancel (see `close_ranks`).
    """

    mediator: str
    items: tuple[str, ...]
    k: int
    scores: Floats | None
    priority: Sequence[int]
    given_ranks: Ints | None = None
    given_order: Ints | None = None
    given_winners: Bools | None = None
    sizes: Floats | None = None

    @cached_property
    def ranks(self) -> Ints:
        """Tier `(..., m)` of every item, 0 = best, no gaps; scores that are equal up to rounding share a tier."""
        if self.given_ranks is not None:
            return self.given_ranks
        assert self.scores is not None, "a rule gives scores or ranks"
        return close_ranks_along(self.scores, self.sizes)

    @cached_property
    def order(self) -> Ints:
        """Items `(..., m)` as indices, best first, ties in tie order."""
        if self.given_order is not None:
            return self.given_order
        in_order = np.asarray(self.priority, dtype=np.int64)
        return np.asarray(in_order[np.argsort(self.ranks[..., in_order], axis=-1, kind="stable")])

    @cached_property
    def winners(self) -> Bools:
        """Whether an item `(..., m)` can come first under some tie-breaking."""
        if self.given_winners is not None:
            return self.given_winners
        if self.given_ranks is not None or self.sizes is not None or "ranks" in self.__dict__:
            return np.asarray(self.ranks == 0)
        assert self.scores is not None, "a rule gives scores or ranks"
        return _first_tier(self.scores)

    @property
    def slates(self) -> Ints:
        """The delivered items `(..., k)` as indices, best first."""
        if self.k == 1 and self.given_order is None and "order" not in self.__dict__:  # without sorting anything
            in_order = np.asarray(self.priority, dtype=np.int64)
            first = self.winners if self.given_winners is None else self.ranks == 0
            return np.asarray(in_order[first[..., in_order].argmax(axis=-1)])[..., None]
        return self.order[..., : self.k]


def close_ranks_along(scores: Floats, sizes: Floats | None = None) -> Ints:
    """Tiers `(..., m)` of scores, 0 = best, no gaps: `simulator.outcome.close_ranks` along the last axis."""
    order = np.argsort(-scores, axis=-1, kind="stable")
    descending = np.take_along_axis(scores, order, axis=-1)
    size = np.abs(descending) if sizes is None else np.take_along_axis(sizes, order, axis=-1)
    with np.errstate(invalid="ignore"):  # inf - inf is nan, which is not larger: tied
        slack = TOLERANCE * np.minimum(np.maximum(size[..., :-1], size[..., 1:]), 1e300)
        falls = descending[..., :-1] - descending[..., 1:] > slack
    tiers = np.zeros(descending.shape, dtype=np.int64)
    np.cumsum(falls, axis=-1, out=tiers[..., 1:])
    ranks = np.empty_like(tiers)
    np.put_along_axis(ranks, order, tiers, axis=-1)
    return ranks


def _first_tier(scores: Floats) -> Bools:
    """Where `close_ranks_along(scores)` is 0, without sorting.

    That tier is a chain of scores each close to the next. Only profiles where a score lies a little below the best one,
    and may be on the chain, are sorted.
    """
    best = scores.max(axis=-1, keepdims=True)
    first: Bools = scores == best
    unsure = ~np.isfinite(best[..., 0])
    unsure |= ((scores >= best - 2.5 * TOLERANCE * np.minimum(np.abs(best), 1e300)) != first).any(axis=-1)
    if unsure.any():
        first[unsure] = close_ranks_along(scores[unsure]) == 0
    return first
