"""What groups of users got so far, where it is only inferred who belongs to which: running sums of shares."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from simulator.profile import Floats, Ints


@dataclass(frozen=True)
class GroupFigures:
    """Sums over rounds; with q_tg the share of group g in the user of round t.

    Attributes:
        rounds: how many rounds they are of.
        weight: `(G,)` sum of q_tg.
        utilities: `(G, n)` sum of q_tg times the n stakeholders' utilities of the round's slate.
        attention: `(G, N)` sum of q_tg / log2(1 + place) over the deliveries of each of the N items, places from 1.
    """

    rounds: int
    weight: Floats
    utilities: Floats
    attention: Floats

    @property
    def means(self) -> Floats:
        """`(G, n)` mean utilities weighted by the shares; nan for a group of which there is nothing."""
        known = self.weight > 0
        shown = self.utilities / np.where(known, self.weight, 1.0)[:, None]
        return np.where(known[:, None], shown, np.nan)

    def kinds(self, codes: Ints, count: int) -> Floats:
        """`(G, K)` distribution of each group's attention over kinds of items; nan for a group that saw none of them.

        Args:
            codes: `(N,)` kind of every item, -1 for none.
            count: K.
        """
        known = codes >= 0
        seen = self.attention[:, known] @ (codes[known, None] == np.arange(count))
        total = seen.sum(axis=1, keepdims=True)
        return np.where(total > 0, seen / np.where(total > 0, total, 1.0), np.nan)


class GroupSums:
    """Adds round after round, and gives the sums out in blocks.

    The figures of two successive rounds, one set against the other, would tell what was inferred about a single user.
    So `released` changes after every `block` rounds alone, whatever reads it.

    Args:
        groups: G.
        stakeholders: n.
        items: N.
        block: rounds of a block.

    Attributes:
        released: the sums after the last complete block; of no rounds before the first.
    """

    def __init__(self, groups: int, stakeholders: int, items: int, block: int) -> None:
        self._block = block
        self._running = GroupFigures(0, np.zeros(groups), np.zeros((groups, stakeholders)), np.zeros((groups, items)))
        self.released = replace(self._running, attention=self._running.attention.copy())

    def add(self, membership: Floats, slate_utilities: Floats, slate: Ints) -> None:
        """Add one round.

        Args:
            membership: `(G,)` shares of the groups in the round's user.
            slate_utilities: `(n,)` mean utilities of its slate.
            slate: `(k,)` rows of the catalogue that were delivered, best first.
        """
        before = self._running
        before.attention[:, slate] += membership[:, None] / np.log2(np.arange(2, len(slate) + 2))
        self._running = GroupFigures(
            before.rounds + 1,
            before.weight + membership,
            before.utilities + membership[:, None] * slate_utilities,
            before.attention,
        )
        if self._running.rounds % self._block == 0:
            self.released = replace(self._running, attention=before.attention.copy())
