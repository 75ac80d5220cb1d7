"""What a mediator decides on many profiles at once, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simulator.outcome import TOLERANCE
from simulator.profile import Floats, Ints


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
    """

    mediator: str
    items: tuple[str, ...]
    k: int
    scores: Floats | None
    priority: Sequence[int]
    given_ranks: Ints | None = None
    given_order: Ints | None = None

    @cached_property
    def ranks(self) -> Ints:
        """Tier `(..., m)` of every item, 0 = best, no gaps; scores that are equal up to rounding share a tier."""
        if self.given_ranks is not None:
            return self.given_ranks
        assert self.scores is not None, "a rule gives scores or ranks"
        order = np.argsort(-self.scores, axis=-1, kind="stable")
        descending = np.take_along_axis(self.scores, order, axis=-1)
        with np.errstate(invalid="ignore"):  # inf - inf is nan, which is not larger: tied
            slack = TOLERANCE * np.minimum(np.maximum(np.abs(descending[..., :-1]), np.abs(descending[..., 1:])), 1e300)
            falls = descending[..., :-1] - descending[..., 1:] > slack
        tiers = np.zeros(descending.shape, dtype=np.int64)
        np.cumsum(falls, axis=-1, out=tiers[..., 1:])
        ranks = np.empty_like(tiers)
        np.put_along_axis(ranks, order, tiers, axis=-1)
        return ranks

    @cached_property
    def order(self) -> Ints:
        """Items `(..., m)` as indices, best first, ties in tie order."""
        if self.given_order is not None:
            return self.given_order
        in_order = np.asarray(self.priority, dtype=np.int64)
        return np.asarray(in_order[np.argsort(self.ranks[..., in_order], axis=-1, kind="stable")])

    @property
    def slates(self) -> Ints:
        """The delivered items `(..., k)` as indices, best first."""
        return self.order[..., : self.k]
