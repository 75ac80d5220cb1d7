"""The egalitarian (least misery) rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import BatchedMediator, Need, ranked_outcome
from simulator.mediators.conversions import cast_weights, utilities
from simulator.outcome import Memory, Outcome, Trace
from simulator.profile import Floats, Profile
from simulator.registry import register


@register("mediator", "egalitarian")
@dataclass(frozen=True)
class Egalitarian(BatchedMediator):
    """Items by what they give to whoever gets least from them: s(a) = min_i u_i(a).

    Weights do not enter: a ballot counts if its weight is positive and it ranks anything, and not otherwise; when none
    counts, every score is 0. Ballots without utilities are read as u = (m - average position) / (m - 1). `scores` takes
    leading batch axes as one array operation.

    Source: J. Rawls, A Theory of Justice, 1971; "least misery" in J. Masthoff, Group modeling, 2004.
    """

    name: ClassVar[str] = "egalitarian"
    needs: ClassVar[Need] = "utility"
    uses_weights: ClassVar[bool] = False
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "participation")
    rule: ClassVar[str] = "s(a) = smallest utility of a over ballots"

    def scores(self, profile: Profile) -> Floats:
        """The smallest utilities, `(..., m)`."""
        return smallest(utilities(profile)[0], cast_weights(profile))

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Rank items by their smallest utility."""
        values, notes = utilities(profile)
        scores = smallest(values, cast_weights(profile))
        return ranked_outcome(self, profile, scores, Trace(self.rule, values=values), k, priority, notes)


def smallest(values: Floats, weights: Floats) -> Floats:
    """Minimum `(..., m)` over the ballots of positive weight, 0 if there are none."""
    least = np.where(weights[..., None] > 0, values, np.inf).min(axis=-2, initial=np.inf)
    return np.where(np.isinf(least), 0.0, least)
