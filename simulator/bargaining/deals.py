"""The deals of a round: the slates that can be agreed on, and what they are worth to everyone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations
from math import comb

import numpy as np

from simulator.profile import Floats, Ints, Proposal

MOST_DEALS = 5_000


@dataclass(frozen=True)
class Deals:
    """Slates and their worth.

    Attributes:
        slates: `(D, k)` item indices, ascending in every row.
        worth: `(n, D)` mean declared utility of a slate's items.
        complete: whether these are all slates; if not, they are those of every party's best items.
    """

    slates: Ints
    worth: Floats
    complete: bool

    @classmethod
    def of(cls, declared: Floats, k: int) -> Deals:
        """All slates of k of the m items; where they are more than `MOST_DEALS`, those of the parties' best items.

        Then as many items as keep the slates within the bound are taken: everybody's best, everybody's second best,
        and so on, in the parties' order.

        Args:
            declared: `(n, m)` what the parties say the items are worth.
            k: 1..m.
        """
        m = declared.shape[1]
        if comb(m, k) <= MOST_DEALS:
            slates, complete = _slates(m, k), True
        else:
            best = np.argsort(-declared, axis=1, kind="stable").T.ravel()
            wanted = best[np.sort(np.unique(best, return_index=True)[1])]
            size = k
            while comb(size + 1, k) <= MOST_DEALS:
                size += 1
            slates, complete = np.sort(wanted[:size])[_slates(size, k)], False
        return cls(slates, declared[:, slates].mean(axis=2), complete)

    def find(self, slate: Sequence[int]) -> int | None:
        """The row of a slate, or None if it is not among the deals."""
        rows = np.flatnonzero((self.slates == np.sort(np.asarray(slate))).all(axis=1))
        return int(rows[0]) if len(rows) else None


@lru_cache(maxsize=8)
def _slates(m: int, k: int) -> Ints:
    flat = np.fromiter(chain.from_iterable(combinations(range(m), k)), dtype=np.int64, count=comb(m, k) * k)
    slates = flat.reshape(-1, k)
    slates.flags.writeable = False
    return slates


def offered(proposal: Proposal, items: Sequence[str], k: int) -> tuple[int, ...]:
    """The slate that a ballot offers: its k best items as ascending indices.

    Ties and unranked items are taken in item order.
    """
    place = {item: index for index, item in enumerate(items)}
    ranked = [index for tier in proposal.ranking.tiers for index in sorted(place[item] for item in tier)]
    named = set(ranked)
    ranked += [index for index in range(len(items)) if index not in named]
    return tuple(sorted(ranked[:k]))
