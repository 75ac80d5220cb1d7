"""What the delivered slates gave so far: the running sums that metrics over all rounds are made of."""

from __future__ import annotations

import numpy as np

from simulator.metrics.group_sums import GroupSums
from simulator.profile import Bools, Floats, Ints

_START = 64


class History:
    """What the delivered slates gave to the n stakeholders, round by round, the current round included.

    Sums and spells are kept as the rounds come in, so a cumulative metric costs the same in round 10,000 as in round 1.

    Args:
        n: stakeholders.
        items: items of the catalogue, N.
        groups: adds up what groups of users get; none by default.

    Attributes:
        dry_spell: `(n,)` rounds since the slate last held an item of the stakeholder's own top k.
        longest_dry_spell: `(n,)` the greatest `dry_spell` there has been.
        satisfied: `(n,)` rounds whose slate held an item of the stakeholder's own top k.
        influence: `(n,)` sum over those rounds of 1 / number of stakeholders that the slate served.
        claimed: `(n,)` sum over rounds of the largest number of stakeholders that share one item of the own top k.
        within_quota: how many pairs of a stakeholder and a round so far had n satisfied > claimed - n.
        delivered: `(N,)` how often every item of the catalogue was delivered.
        exposure: `(N,)` sum over deliveries of 1 / log2(1 + place), places from 1.
        slates: the delivered rows of the catalogue `(k,)` of every round, oldest first.
        groups: what groups of users got; None where nobody has inferred who belongs to which.
    """

    def __init__(self, n: int, items: int = 0, groups: GroupSums | None = None) -> None:
        self._gains = np.zeros((_START, 2, n))  # of every round: utilities, and those of the own best slates
        self._served = np.zeros((_START, n), dtype=np.bool_)
        self._length = 0
        self._sums = np.zeros((2, n))
        self.dry_spell: Ints = np.zeros(n, dtype=np.int64)
        self.longest_dry_spell: Ints = np.zeros(n, dtype=np.int64)
        self.satisfied: Ints = np.zeros(n, dtype=np.int64)
        self.influence: Floats = np.zeros(n)
        self.claimed: Ints = np.zeros(n, dtype=np.int64)
        self.within_quota = 0
        self.delivered: Ints = np.zeros(items, dtype=np.int64)
        self.exposure: Floats = np.zeros(items)
        self.slates: list[Ints] = []
        self.groups = groups

    def append(
        self,
        slate_utilities: Floats,
        served: Bools,
        *,
        best: Floats | None = None,
        claims: Ints | None = None,
        slate: Ints | None = None,
        membership: Floats | None = None,
    ) -> None:
        """Add one round.

        Args:
            slate_utilities: `(n,)` mean utilities of its slate.
            served: `(n,)` whether it holds an item of each stakeholder's own top k.
            best: `(n,)` what the own best slate would have given; 1 by default.
            claims: `(n,)` the largest number of stakeholders that share one item of the own top k; 1 by default.
            slate: `(k,)` rows of the catalogue that were delivered, best first; none by default.
            membership: `(G,)` shares of the groups in the round's user; none by default.
        """
        if self._length == len(self._gains):
            self._gains = np.concatenate([self._gains, np.zeros_like(self._gains)])
            self._served = np.concatenate([self._served, np.zeros_like(self._served)])
        gains = self._gains[self._length]
        gains[0], gains[1] = slate_utilities, 1.0 if best is None else best
        self._served[self._length] = served
        self._length += 1
        self._sums = self._sums + gains
        self.dry_spell = np.where(served, 0, self.dry_spell + 1)
        self.longest_dry_spell = np.maximum(self.longest_dry_spell, self.dry_spell)
        self.satisfied = self.satisfied + served
        count = int(served.sum())
        if count:
            self.influence = self.influence + served / count
        self.claimed = self.claimed + (1 if claims is None else claims)
        n = len(served)
        self.within_quota += int((self.claimed - n * self.satisfied < n).sum())
        if slate is not None:
            self.slates.append(slate)
            self.delivered[slate] += 1
            self.exposure[slate] += 1 / np.log2(np.arange(2, len(slate) + 2))
            if self.groups is not None and membership is not None:
                self.groups.add(membership, slate_utilities, slate)

    def __len__(self) -> int:
        return self._length

    @property
    def utilities(self) -> Floats:
        """`(t, n)` utilities of the delivered slates, oldest first."""
        return self._gains[: self._length, 0]

    @property
    def best(self) -> Floats:
        """`(t, n)` utilities of each round's own best slate, oldest first."""
        return self._gains[: self._length, 1]

    def last(self, rounds: int) -> Floats:
        """`(2, n)`: sums of `utilities` and of `best` over the last rounds."""
        return np.asarray(self._gains[max(0, self._length - rounds) : self._length].sum(axis=0))

    @property
    def total(self) -> Floats:
        """`(n,)` sum of the utilities of all rounds so far."""
        return np.asarray(self._sums[0])

    @property
    def best_total(self) -> Floats:
        """`(n,)` sum of what each round's own best slate would have given."""
        return np.asarray(self._sums[1])

    @property
    def served(self) -> Bools:
        """`(t, n)`: whether the slate held at least one item of the stakeholder's own top k."""
        return self._served[: self._length]

    @property
    def mean(self) -> Floats:
        """`(n,)` mean utility over all rounds so far; nan before the first."""
        return self.total / self._length if self._length else np.full_like(self.total, np.nan)
