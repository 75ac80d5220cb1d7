"""The best ballot a voter can cast when it knows all the others: an insincere one, if that pays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from simulator.manipulation import misreports
from simulator.manipulation.misreports import Ballots
from simulator.mediators.base import Mediator
from simulator.outcome import TOLERANCE, Memory, Outcome
from simulator.profile import Floats, Profile
from simulator.seeds import child_seed

Method = Literal["best_response", "compromise", "burying", "truncation"]
LOTTERY_DRAWS = 32


@dataclass(frozen=True)
class BestResponse:
    """What one voter would do best.

    Attributes:
        ballot: the ballot, alone; the honest one if nothing is worth more.
        worth: mean true utility of the slate that it leads to; of the first item, by its chances, for lotteries.
        honest_worth: the same for the honest ballot.
    """

    ballot: Ballots
    worth: float
    honest_worth: float

    @property
    def gain(self) -> float:
        """What it gains over honesty, at least 0."""
        return self.worth - self.honest_worth


@dataclass(frozen=True)
class Vote:
    """A voter's place in a vote that it knows everything about.

    Attributes:
        mediator: the rule.
        profile: all ballots; the voter's own row counts for nothing.
        voter: its row.
        utilities: `(m,)` its true utilities.
        k, memory, priority, seed: as in `Mediator.mediate`.
    """

    mediator: Mediator
    profile: Profile
    voter: int
    utilities: Floats
    k: int
    memory: Memory | None = None
    priority: Sequence[int] | None = None
    seed: int = 0

    def worth(self, ballots: Ballots) -> Floats:
        """True utility `(c,)` of what the ballots lead to."""
        return np.asarray(self._delivered(ballots) @ self.utilities)

    def effects(self, ballot: Ballots, utilities: Floats) -> Floats:
        """What a ballot in the place of the honest one changes for everyone, `(n,)`, by true utilities `(n, m)`."""
        honest, told = self._delivered(misreports.honest(self.utilities).and_(ballot))
        return np.asarray(utilities @ (told - honest))

    def _delivered(self, ballots: Ballots) -> Floats:
        """Every item's share `(c, m)` in what is delivered: 1 / k on a slate; for lotteries its chance to come first.

        Lotteries that cannot state their chances count the share of `LOTTERY_DRAWS` draws.
        """
        profile = self._with(ballots)
        if self.mediator.lottery:
            return np.array([self._chances(one) for one in profile.singles()])
        if self.mediator.batched and not self.memory:
            slates = self.mediator.batch(profile, k=self.k, priority=self.priority, seed=self.seed).slates
        else:
            slates = np.array([self._decided(one, self.seed).slate_indices for one in profile.singles()])
        shares = np.zeros((len(ballots), profile.m))
        np.put_along_axis(shares, slates, 1 / self.k, axis=1)
        return shares

    def _chances(self, profile: Profile) -> Floats:
        outcome = self._decided(profile, self.seed)
        if outcome.score_values is not None:
            return outcome.score_values
        draws = [self._decided(profile, child_seed(self.seed, "strategy", draw)) for draw in range(LOTTERY_DRAWS)]
        return np.bincount([draw.order[0] for draw in draws], minlength=profile.m) / LOTTERY_DRAWS

    def _decided(self, profile: Profile, seed: int) -> Outcome:
        return self.mediator.mediate(profile, self.memory, k=self.k, priority=self.priority, seed=seed)

    def _with(self, ballots: Ballots) -> Profile:
        """The profile with each of the ballots in the voter's place, as a batch."""
        c, base = len(ballots), self.profile
        ranks = np.repeat(base.ranks[None], c, axis=0)
        ranks[:, self.voter] = ballots.ranks
        utilities = None
        if base.utilities is not None:
            utilities = np.repeat(base.utilities[None], c, axis=0)
            utilities[:, self.voter] = ballots.utilities
        weights = np.repeat(base.weights[None], c, axis=0)
        return Profile(base.items, ranks, weights, utilities, None, base.voters)


def best_response(vote: Vote, method: Method = "best_response", effort: int = 2000) -> BestResponse:
    """The ballot that serves a voter best, the honest one where no other is worth more.

    Args:
        vote: what is voted on.
        method: `compromise` (raise one item), `burying` (sink one item) or `truncation` (rank only the best) try
            these misreports alone; `best_response` tries all of them, raising with burying, exaggerated utilities, all
            orders of up to `misreports.MOST_PERMUTED` items, and then moves single items to other places as long as
            that helps.
        effort: how many ballots are tried at most; the search is exact where all orders fit in.
    """
    truth = misreports.honest(vote.utilities)
    tried = _tries(vote.utilities, method)
    if len(tried) > effort:
        tried = Ballots(tried.kinds[:effort], tried.ranks[:effort], tried.utilities[:effort])
    ballots = truth.and_(tried)
    worth = vote.worth(ballots)
    best = _best(worth)
    response = BestResponse(_one(ballots, best), float(worth[best]), float(worth[0]))
    left = effort - len(tried)
    while method == "best_response" and len(vote.utilities) > misreports.MOST_PERMUTED:
        strict = np.lexsort((-vote.utilities, response.ballot.ranks[0]))
        nearby = misreports.moves(np.argsort(strict, kind="stable"))
        left -= len(nearby)
        if left < 0:
            break
        worth = vote.worth(nearby)
        best = int(np.argmax(worth))
        if worth[best] <= response.worth + TOLERANCE:
            break
        response = BestResponse(_one(nearby, best), float(worth[best]), response.honest_worth)
    return response


def _tries(utilities: Floats, method: Method) -> Ballots:
    match method:
        case "compromise":
            return misreports.compromises(utilities)
        case "burying":
            return misreports.burials(utilities)
        case "truncation":
            return misreports.truncations(utilities)
    simple = misreports.compromises(utilities).and_(misreports.burials(utilities))
    simple = simple.and_(misreports.truncations(utilities)).and_(misreports.exaggerations(utilities))
    m = len(utilities)
    return simple.and_(misreports.orders(m) if m <= misreports.MOST_PERMUTED else misreports.pushes(utilities))


def _best(worth: Floats) -> int:
    """The first of the greatest, if it is worth more than honesty by more than rounding; else honesty, at 0."""
    best = int(np.argmax(worth))
    return best if worth[best] > worth[0] + TOLERANCE else 0


def _one(ballots: Ballots, place: int) -> Ballots:
    rows = slice(place, place + 1)
    return Ballots(ballots.kinds[rows], ballots.ranks[rows], ballots.utilities[rows])
