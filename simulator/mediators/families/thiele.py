"""Thiele's rules: a ballot with j items of the slate is worth the sum of the first j terms of a falling sequence."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from simulator.mediators.families.committees import CommitteeMediator
from simulator.mediators.families.electorate import Electorate
from simulator.mediators.families.integer_program import Program
from simulator.mediators.families.kinds import all_counts, choice_of_counts, number_of_counts
from simulator.mediators.families.slates import MOST_ENUMERATED, SlateChoice
from simulator.outcome import TOLERANCE
from simulator.profile import Floats, Ints

MOST_CELLS = 1_000_000


@dataclass(frozen=True)
class ThieleMediator(CommitteeMediator):
    """Maximise sum_i w_i (g_1 + ... + g_j), j = |A_i cap W|, over the slates W of k items; 1 = g_1 >= g_2 >= ... >= 0.

    The terms must not rise: the integer program takes a ballot's gains in any order.
    """

    @abstractmethod
    def gains(self, k: int) -> Floats:
        """What a ballot gains from its first, second, ... item, `(k,)`."""

    def compare(
        self, people: Electorate, members: Sequence[Sequence[int]], k: int, in_order: Sequence[int]
    ) -> SlateChoice | None:
        """Compare all slates, those with as many items of each kind as one."""
        if number_of_counts(people.sizes.tolist(), k) > MOST_ENUMERATED:
            return None
        counts = all_counts(people.sizes.tolist(), k)
        worths = np.empty(len(counts))
        block = max(1, MOST_CELLS // max(1, len(people.weights)))
        for start in range(0, len(counts), block):
            worths[start : start + block] = self._worths(people, counts[start : start + block], k)
        tied = worths >= worths.max() - TOLERANCE * worths.max()
        others = np.where(tied, -np.inf, worths)
        how = f"All {comb(len(in_order), k)} slates were compared."
        next_best = None if tied.all() else counts[others.argmax()]
        return choice_of_counts(counts[tied], members, in_order, next_best, how, complete=True, optimal=True)

    def worth(self, people: Electorate, counts: Ints, k: int) -> float:
        """The sum over ballots."""
        return float(self._worths(people, counts[None], k)[0])

    def _worths(self, people: Electorate, counts: Ints, k: int) -> Floats:
        """Worth `(v,)` of slates with so many items of each kind, `(v, c)`."""
        got = (counts.astype(np.float64) @ people.columns).astype(np.int64)
        return np.asarray(np.concatenate([[0.0], np.cumsum(self.gains(k))])[got] @ people.weights)

    def program(self, people: Electorate, kind_of: Ints, k: int) -> Program:
        """Besides the items: for each ballot and each of its gains, whether the slate gives it, at most its items."""
        from scipy.sparse import csr_matrix, hstack

        gains = self.gains(k)
        gains = gains[gains > 0]
        approved = people.columns[kind_of]
        m, n = approved.shape
        most = np.minimum(approved.sum(axis=0), len(gains)).astype(np.int64)
        voter = np.repeat(np.arange(n), most)
        level = np.arange(len(voter)) - np.repeat(np.cumsum(most) - most, most)
        given = csr_matrix((np.ones(len(voter)), (voter, np.arange(len(voter)))), shape=(n, len(voter)))
        return Program(
            gain=np.concatenate([np.zeros(m), people.weights[voter] * gains[level]]),
            rows=hstack([csr_matrix(-approved.T), given], format="csr"),
            limits=np.zeros(n),
            upper=np.ones(m + len(voter)),
            whole=np.arange(m + len(voter)) < m,
        )

    def near(self, people: Electorate, k: int) -> tuple[Ints, str]:
        """Add the item that adds most until there are k, then swap one for another while that helps."""
        gains = np.concatenate([self.gains(k), [0.0]])
        counts, got = np.zeros_like(people.sizes), np.zeros(len(people.weights), dtype=np.int64)

        def add_best() -> int:
            added = people.columns @ (people.weights * gains[got])
            return int(np.where(counts < people.sizes, added, -np.inf).argmax())

        def change(kind: int, by: int) -> None:
            counts[kind] += by
            got[:] += by * people.columns[kind].astype(np.int64)

        for _ in range(k):
            change(add_best(), 1)
        best = self.worth(people, counts, k)
        while True:
            for kind in np.flatnonzero(counts).tolist():
                change(kind, -1)
                new = add_best()
                change(new, 1)
                worth = self.worth(people, counts, k)
                if worth > best + TOLERANCE * best:
                    best = worth
                    break
                change(new, -1)
                change(kind, 1)
            else:
                return counts, "found by greedy choice and single swaps"
