"""The Nash rule on items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from simulator.batch import BatchOutcome, close_ranks_along
from simulator.mediators.base import BLOCK, BatchedMediator, Need, ranked_outcome
from simulator.mediators.conversions import cast_weights, nonnegative_utilities
from simulator.outcome import TOLERANCE, Memory, Outcome, Trace
from simulator.profile import Floats, Ints, Profile, dense_ranks
from simulator.registry import register


@register("mediator", "nash")
@dataclass(frozen=True)
class Nash(BatchedMediator):
    """Items by the weighted geometric mean of their utilities: s(a) = (prod_i u_i(a)^{w_i})^{1 / sum w}.

    The order is that of sum_i w_i log u_i(a). An item that some ballot gives nothing scores 0; such items follow all
    others, those with more weight of positive utilities first, then by the product over the positive ones alone.
    Abstentions do not count. Ballots without utilities are read as u = (m - average position) / (m - 1). `scores` and
    the order take leading batch axes as one array operation.

    Raises:
        ValueError: a utility is negative.

    Sources: J. F. Nash, The bargaining problem, 1950; M. Kaneko and K. Nakamura, The Nash social welfare function,
    1979; the convention for zeros: I. Caragiannis et al., The unreasonable fairness of maximum Nash welfare, 2016.
    """

    name: ClassVar[str] = "nash"
    needs: ClassVar[Need] = "utility"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "pareto", "participation")
    rule: ClassVar[str] = "s(a) = geometric mean of the ballots' utilities of a, weighted"

    def scores(self, profile: Profile) -> Floats:
        """The geometric means, `(..., m)`."""
        return geometric_mean(nonnegative_utilities(profile, self.name)[0], cast_weights(profile))

    def batch(
        self, profile: Profile, *, k: int = 1, priority: Sequence[int] | None = None, seed: int = 0
    ) -> BatchOutcome:
        """Aggregate a profile with leading batch axes; those with scores of 0 by the convention for zeros."""
        plain = super().batch(profile, k=k, priority=priority, seed=seed)
        assert plain.scores is not None
        zeros = (plain.scores == 0).any(axis=-1)
        if not zeros.any():
            return plain
        ranks = plain.ranks.copy()
        some = profile.ranks[zeros], profile.weights[zeros]
        part = Profile(profile.items, *some, None if profile.utilities is None else profile.utilities[zeros])
        found = [
            nash_ranks(nonnegative_utilities(block, self.name)[0], cast_weights(block))
            for _, block in part.blocks(BLOCK)
        ]
        ranks[zeros] = np.concatenate(found)
        return replace(plain, given_ranks=ranks)

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Rank items by Nash welfare."""
        values, notes = nonnegative_utilities(profile, self.name)
        weights = cast_weights(profile)
        scores = geometric_mean(values, weights)
        ranks = None if scores.all() else nash_ranks(values, weights)
        return ranked_outcome(self, profile, scores, Trace(self.rule, values=values), k, priority, notes, ranks)


def geometric_mean(values: Floats, weights: Floats) -> Floats:
    """Weighted geometric mean over ballots, `(..., n, c)` to `(..., c)`.

    0 where a ballot of positive weight has 0, and where no ballot has weight.
    """
    _, logs = nash_objective(values, weights)
    total = weights.sum(axis=-1)[..., None]
    all_served = ((values > 0) | (weights[..., None] == 0)).all(axis=-2) & (total > 0)
    return np.where(all_served, np.exp(logs / np.where(total > 0, total, 1.0)), 0.0)


def nash_objective(values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Per column of `values` `(..., n, c)`: the weight of its positive values and the sum of weight x log of them."""
    positive = values > 0
    logs = np.log(np.where(positive, values, 1.0))
    row = weights[..., None, :]
    return (row @ positive.astype(np.float64))[..., 0, :], (row @ logs)[..., 0, :]


def nash_ranks(values: Floats, weights: Floats) -> Ints:
    """Tiers `(..., c)` of the columns of `values` `(..., n, c)` with the convention for zeros, 0 = best."""
    served, logs = nash_objective(values, weights)
    sizes = np.broadcast_to(weights.sum(axis=-1)[..., None], served.shape)
    by_served, by_product = close_ranks_along(served, sizes), close_ranks_along(logs, sizes)
    worse_first = by_served * values.shape[-1] + by_product
    return dense_ranks(-worse_first.astype(np.float64))


def nash_best(values: Floats, weights: Floats) -> Ints:
    """The columns of `values` `(n, c)` that no other column beats, with the convention for zeros."""
    served, logs = nash_objective(values, weights)
    slack = TOLERANCE * weights.sum()
    most = np.flatnonzero(served >= served.max() - slack)
    best: Ints = most[logs[most] >= logs[most].max() - slack]
    return best
