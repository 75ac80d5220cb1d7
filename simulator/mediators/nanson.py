"""Nanson's rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.batch import BatchOutcome
from simulator.mediators.base import Cost, Mediator, ranked_outcome
from simulator.mediators.conversions import cast_weights
from simulator.mediators.families.borda_points import points_against
from simulator.outcome import TOLERANCE, Memory, Outcome, Step, Trace
from simulator.profile import Floats, Profile, dense_ranks
from simulator.registry import register


@register("mediator", "nanson")
@dataclass(frozen=True)
class Nanson(Mediator):
    """All items with less than the mean Borda score go at once, scores are counted again among those left.

    s(a) = sum over the other items b that are left of P(a, b), the weight of the ballots that rank a above b and half
    the weight of those that tie them; unranked items are tied last. It ends when all items that are left have the same
    score; they are tied. Items that go in the same round share a tier, so nothing depends on how ties are broken.
    Batch axes are one array operation.

    A Condorcet winner always has more than the mean score, so it alone is left. The rule is not monotone, and a ballot
    can do better by staying away (no-show paradox).

    Source: E. J. Nanson, Methods of election, 1882. Some later texts eliminate the items at the mean, too.
    """

    name: ClassVar[str] = "nanson"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "condorcet", "pareto")
    cost: ClassVar[Cost] = "quadratic"
    batched: ClassVar[bool] = True
    rule: ClassVar[str] = (
        "all items below the mean Borda score are eliminated and scores are counted again among the others, until all "
        "that are left have the same score"
    )

    def batch(
        self, profile: Profile, *, k: int = 1, priority: Sequence[int] | None = None, seed: int = 0
    ) -> BatchOutcome:
        """Aggregate a profile with leading batch axes in one array operation."""
        in_order = list(range(profile.m) if priority is None else priority)
        shape = (*profile.ranks.shape[:-2], profile.m)
        ranks = dense_ranks(_rounds(profile)[0])
        return BatchOutcome(self.label, profile.items, k, None, in_order, ranks.reshape(shape))

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Count and eliminate until all items that are left are level."""
        rounds, scores = _rounds(profile)
        steps = []
        for number, totals in enumerate(scores, start=1):
            going = rounds[0] == number
            act = "eliminated" if number < len(scores) else "left"
            mean = f"mean {_shown(float(totals[0, rounds[0] >= number].mean()))}"
            steps += [Step(profile.items[item], float(totals[0, item]), mean, act) for item in np.flatnonzero(going)]
        trace = Trace(self.rule, steps=tuple(steps))
        return ranked_outcome(self, profile, None, trace, k, priority, ranks=dense_ranks(rounds)[0])


def _rounds(profile: Profile) -> tuple[Floats, list[Floats]]:
    """The round `(b, m)` in which each item goes, the last one for those left, and every round's scores `(b, m)`."""
    m = profile.m
    weights = cast_weights(profile)
    points = points_against(Profile(profile.items, profile.ranks, weights)).reshape(-1, m, m)
    slack = TOLERANCE * weights.sum(axis=-1).reshape(-1, 1) * max(1, m - 1)
    left = np.ones((len(points), m), dtype=np.bool_)
    rounds = np.zeros((len(points), m))
    scores = []
    while True:
        scores.append((points @ left[..., None].astype(np.float64))[..., 0])
        mean = np.where(left, scores[-1], 0.0).sum(axis=1, keepdims=True) / left.sum(axis=1, keepdims=True)
        below = left & (scores[-1] < mean - slack)
        if not below.any():
            rounds[left] = len(scores)
            return rounds, scores
        rounds[below] = len(scores)
        left &= ~below


def _shown(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")
