"""Rules that look at ballots only through the duels between items."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from simulator.batch import BatchOutcome
from simulator.mediators.base import Cost, Mediator, ranked_outcome
from simulator.mediators.families.pairwise import Duels, Matrix, duels, in_blocks
from simulator.outcome import Memory, Outcome, Trace
from simulator.profile import Bools, Floats, Ints, Profile

_BLOCK = 400_000  # entries of matrices at a time


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a rule makes of duels.

    Attributes:
        scores: `(..., m)`, larger is better; None for rules that rank without scores.
        ranks: `(..., m)` tiers from 0 without gaps; None where they are those of the scores.
        winners: `(..., m)` who wins; None where these are the first tier.
        paths: `(..., m, m)` strength of the strongest path from the row item to the column item, for rules that use it.
    """

    scores: Floats | None = None
    ranks: Ints | None = None
    winners: Bools | None = None
    paths: Matrix | None = None


class PairwiseMediator(Mediator):
    """A rule on duels; a batch of profiles is one array operation."""

    cost: ClassVar[Cost] = "quadratic"
    batched: ClassVar[bool] = True

    @abstractmethod
    def judge(self, found: Duels) -> Verdict:
        """Rank the items of one profile or of every profile of a batch."""

    @property
    def sentence(self) -> str:
        """The rule with its parameters, in one sentence."""
        return self.rule

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Rank items by their duels."""
        found = duels(profile)
        verdict = self.judge(found)
        trace = Trace(
            self.sentence,
            pairwise=found.support.astype(np.float64),
            paths=None if verdict.paths is None else np.where(np.eye(profile.m), 0.0, verdict.paths),
        )
        outcome = ranked_outcome(self, profile, verdict.scores, trace, k, priority, ranks=verdict.ranks)
        if verdict.winners is None:
            return outcome
        winners = tuple(item for item in outcome.order if verdict.winners[item])
        return replace(
            outcome, tied_winners=winners, tied_slates=tuple((item,) for item in winners) if k == 1 else None
        )

    def batch(
        self, profile: Profile, *, k: int = 1, priority: Sequence[int] | None = None, seed: int = 0
    ) -> BatchOutcome:
        """Aggregate a profile with leading batch axes, many profiles at a time."""
        in_order = list(range(profile.m) if priority is None else priority)
        verdicts = [self.judge(duels(part)) for part in in_blocks(profile, _BLOCK)]
        shape = (*profile.ranks.shape[:-2], profile.m)
        scores = [verdict.scores for verdict in verdicts if verdict.scores is not None]
        ranks = [verdict.ranks for verdict in verdicts if verdict.ranks is not None]
        winners = [verdict.winners for verdict in verdicts if verdict.winners is not None]
        return BatchOutcome(
            self.label,
            profile.items,
            k,
            np.concatenate(scores).reshape(shape) if scores else None,
            in_order,
            np.concatenate(ranks).reshape(shape) if ranks else None,
            given_winners=np.concatenate(winners).reshape(shape) if winners else None,
        )


class PairwiseScoreMediator(PairwiseMediator):
    """A rule on duels that ranks by a score."""

    @abstractmethod
    def duel_scores(self, found: Duels) -> Floats:
        """Scores `(..., m)`, larger is better; items that tie get the very same number."""

    def judge(self, found: Duels) -> Verdict:
        """Rank by score."""
        return Verdict(scores=self.duel_scores(found))

    def scores(self, profile: Profile) -> Floats:
        """Scores `(..., m)`; batch axes are one array operation."""
        scores = [self.duel_scores(duels(part)) for part in in_blocks(profile, _BLOCK)]
        return np.concatenate(scores).reshape(*profile.ranks.shape[:-2], profile.m)
