"""Bucklin's rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import ClassVar

import numpy as np

from simulator.batch import BatchOutcome
from simulator.mediators.base import Cost, Mediator, ranked_outcome
from simulator.mediators.conversions import cast_weights
from simulator.mediators.families.places import best_places
from simulator.outcome import TOLERANCE, Memory, Outcome, Step, Trace
from simulator.profile import Floats, Ints, Profile
from simulator.registry import register


@register("mediator", "bucklin")
@dataclass(frozen=True)
class Bucklin(Mediator):
    """Ballots support their first choices, then also their second ones, and so on, until some item has a majority.

    At depth j the support of a is the sum of w_i over the ballots i with r_i(a) <= j. An item counts from the first
    depth at which more than half of the weight cast supports it; the smaller this depth, the better, then the larger
    its support there. r_i(a) is 1 + the number of items that the ballot puts above a, so all of a tie is supported at
    the tie's first place. Unranked items are never supported, so with truncated ballots some items may never have a
    majority: they come last, by the weight of the ballots that rank them. Items with the same depth and support are
    tied. Batch axes are one array operation.

    It misses Condorcet winners, and a ballot can do better by staying away. With ties in ballots an item can be level
    with one that no ballot puts below it and some ballot puts above it.

    Sources: J. W. Bucklin's Grand Junction system, 1909; D. R. Woodall, Properties of preferential election rules,
    1994.
    """

    name: ClassVar[str] = "bucklin"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone")
    cost: ClassVar[Cost] = "quadratic"
    batched: ClassVar[bool] = True
    rule: ClassVar[str] = (
        "ballots support their first choices, then also their second ones, and so on; the first item that more than "
        "half of the weight supports wins, at the same depth the one with more support"
    )

    def batch(
        self, profile: Profile, *, k: int = 1, priority: Sequence[int] | None = None, seed: int = 0
    ) -> BatchOutcome:
        """Aggregate a profile with leading batch axes in one array operation."""
        in_order = list(range(profile.m) if priority is None else priority)
        depths, supports, slack = _majorities(profile)
        ranks = _ranks(depths, supports, slack).reshape(*profile.ranks.shape[:-2], profile.m)
        return BatchOutcome(self.label, profile.items, k, None, in_order, ranks)

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Rank items by the depth of their majority, then by their support there."""
        depths, supports, slack = _majorities(profile)
        trace = Trace(self.rule)
        found = ranked_outcome(self, profile, None, trace, k, priority, ranks=_ranks(depths, supports, slack)[0])
        steps = tuple(
            Step(
                profile.items[item],
                float(supports[0, item]),
                _depth(int(depths[0, item]), profile.m),
                "ranked",
            )
            for item in found.order
        )
        return replace(found, trace=replace(trace, steps=steps))


def _majorities(profile: Profile) -> tuple[Ints, Floats, Floats]:
    """Depth of every item's majority, m + 1 for none, and its support there, both `(b, m)`; slack `(b,)`."""
    m, n = profile.m, profile.n
    b = prod(profile.ranks.shape[:-2])
    ranks, weights = profile.ranks.reshape(b, n, m), cast_weights(profile).reshape(b, n)
    places = np.where(ranks < m, best_places(ranks), m + 1)
    cells = (np.arange(b)[:, None, None] * m + np.arange(m)) * (m + 2) + places
    votes = np.bincount(cells.ravel(), np.broadcast_to(weights[..., None], places.shape).ravel(), b * m * (m + 2))
    support = votes.reshape(b, m, m + 2)[..., : m + 1].cumsum(axis=-1)
    total = weights.sum(axis=1)
    slack = TOLERANCE * total
    majority = support > (total / 2 + slack)[:, None, None]
    depths = np.where(majority.any(axis=-1), majority.argmax(axis=-1), m + 1)
    at = np.take_along_axis(support, np.minimum(depths, m)[..., None], axis=-1)[..., 0]
    return depths, at, slack


def _ranks(depths: Ints, supports: Floats, slack: Floats) -> Ints:
    """Tiers `(b, m)`: by depth, then by support; supports that are equal up to rounding share a tier."""
    order = np.lexsort((-supports, depths), axis=-1)
    depth, support = np.take_along_axis(depths, order, axis=-1), np.take_along_axis(supports, order, axis=-1)
    ranks = np.zeros_like(depths)
    falls = (np.diff(depth, axis=-1) > 0) | (-np.diff(support, axis=-1) > slack[:, None])
    np.put_along_axis(ranks, order[:, 1:], np.cumsum(falls, axis=-1), axis=-1)
    return ranks


def _depth(depth: int, m: int) -> str:
    return f"at depth {depth}" if depth <= m else "at every depth, never a majority"
