"""Random dictatorship."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

import numpy as np

from simulator.mediators.conversions import cast_weights
from simulator.mediators.families.lottery import (
    Chances,
    LotteryMediator,
    Voices,
    all_tied,
    lottery_outcome,
    ranking_of,
    slates_of_tiers,
)
from simulator.outcome import Memory, Outcome, Trace, tiers_of
from simulator.profile import Floats, Profile
from simulator.registry import register
from simulator.seeds import generator


@register("mediator", "random_dictatorship")
@dataclass(frozen=True)
class RandomDictatorship(LotteryMediator):
    """One ballot is drawn with a probability in proportion to its weight, and its ranking is the outcome.

    P(a first) = sum_i w_i [a in T_i] / |T_i| / sum_i w_i, T_i the items that ballot i puts first: a tie is left to the
    tie rule and split evenly in the probabilities. Abstentions are not drawn; where nobody ranks anything, all items
    tie with 1/m each. `scores` holds the probabilities and takes leading batch axes as one array operation; a batch of
    draws is taken one profile after another.

    Source: A. Gibbard, Manipulation of schemes that mix voting with chance, 1977.
    """

    name: ClassVar[str] = "random_dictatorship"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "participation", "strategyproof")
    rule: ClassVar[str] = "P(a first) = share of the weight that puts a first; one ballot is drawn, and its ranking"

    def scores(self, profile: Profile) -> Floats:
        """Probabilities `(..., m)` of the items to come first; batch axes are one array operation."""
        sums = self._shares(profile).sum(axis=-2)
        return np.where(cast_weights(profile).sum(axis=-1)[..., None] > 0, sums, 1 / profile.m)

    def chances(self, profile: Profile) -> Chances:
        """What can come first, of one profile."""
        probabilities = self.scores(profile)
        return Chances(probabilities > 0, probabilities)

    def _shares(self, profile: Profile) -> Floats:
        weights = cast_weights(profile)
        total = weights.sum(axis=-1, keepdims=True)
        drawn = weights / np.where(total > 0, total, 1.0)
        tops = (profile.ranks == profile.ranks.min(axis=-1, keepdims=True)) * 1.0
        return np.asarray(drawn[..., None] * tops / tops.sum(axis=-1, keepdims=True))

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Draw a ballot."""
        voices = Voices.of(profile)
        if not len(voices.weights):
            return all_tied(self, profile, k, priority)
        upto = np.cumsum(voices.weights)
        drawn = int(np.searchsorted(upto, generator(seed, self.name).random() * upto[-1], side="right"))
        drawn = min(drawn, len(upto) - 1)
        shares = self._shares(profile)
        probabilities = shares.sum(axis=0)
        rankings = (tiers_of(ranking_of(ballot), range(profile.m)) for ballot in voices.ranks)
        return lottery_outcome(
            self,
            profile,
            ranking_of(voices.ranks[drawn]),
            Chances(probabilities > 0, probabilities),
            chain.from_iterable(slates_of_tiers(tiers, k) for tiers in rankings),
            Trace(self.rule, contributions=shares),
            k,
            priority,
            (f"The draw fell on the ballot of {voices.name(profile, drawn)}.",),
        )
