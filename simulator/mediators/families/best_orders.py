"""All orders of a few items that cost least, by dynamic programming over sets of items (Held and Karp)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from simulator.mediators.families.orders import Orders
from simulator.outcome import MOST_SLATES
from simulator.profile import Bools, Floats, Ints

MOST_ITEMS = 14


@dataclass(frozen=True)
class BestOrders:
    """The least cost of every set of first items and of what follows it; sets are bits of a number.

    Attributes:
        cost: `(s, s)`, what it costs to put the row item above the column item.
        slack: orders that cost at most this much more than the best are equally good up to rounding.
    """

    cost: Floats
    slack: float

    @cached_property
    def _added(self) -> Floats:
        """`(s, 2^s)`: the cost of putting an item below all items of a set."""
        added = np.zeros((len(self.cost), 1))
        for above in self.cost:
            added = np.concatenate([added, added + above[:, None]], axis=1)
        return added

    @cached_property
    def _upper(self) -> Floats:
        """`(2^s,)`: the least cost of a set as the first items."""
        least = np.full(1 << len(self.cost), np.inf)
        least[0] = 0.0
        for sets in _by_size(len(self.cost))[1:]:
            for item, added in enumerate(self._added):
                with_it = sets[(sets >> item & 1) == 1]
                without = with_it ^ (1 << item)
                least[with_it] = np.minimum(least[with_it], least[without] + added[without])
        return least

    @cached_property
    def _lower(self) -> Floats:
        """`(2^s,)`: the least cost of all other items below a set."""
        least = np.full(1 << len(self.cost), np.inf)
        least[-1] = 0.0
        for sets in _by_size(len(self.cost))[-2::-1]:
            for item, added in enumerate(self._added):
                without = sets[(sets >> item & 1) == 0]
                with_it = without | (1 << item)
                least[without] = np.minimum(least[without], least[with_it] + added[without])
        return least

    @cached_property
    def _next(self) -> Bools:
        """`(s, 2^s)`: whether some best order has the items of a set first and the item next."""
        sets = np.arange(1 << len(self.cost))
        with_it = sets | (1 << np.arange(len(self.cost)))[:, None]
        total = self._upper + self._added + self._lower[with_it]
        return np.asarray((with_it != sets) & (total <= self._upper[-1] + self.slack))

    def orders(self, k: int, priority: Sequence[int]) -> Orders:
        """All best orders; `priority` chooses among the items that can follow at each place of the delivered one."""
        s = len(self.cost)
        before = np.zeros((s, s), dtype=np.bool_)
        for item, follows in enumerate(self._next):
            above = int(np.bitwise_or.reduce(np.flatnonzero(follows), initial=0))
            before[:, item] = [above >> other & 1 for other in range(s)]
        taken, order = 0, []
        for _ in range(s):
            item = next(item for item in priority if self._next[item, taken])
            order.append(item)
            taken |= 1 << item
        first = [item for item in order if self._next[item, 0]]
        sets = _by_size(s)[k]
        sets = sets[self._upper[sets] + self._lower[sets] <= self._upper[-1] + self.slack]
        if len(sets) > MOST_SLATES:
            return Orders(tuple(order), before, tuple(first), None, False)
        slates = sorted(tuple(item for item in range(s) if chosen >> item & 1) for chosen in sets.tolist())
        return Orders(tuple(order), before, tuple(first), tuple(slates), True)

    def each(self) -> Iterator[tuple[int, ...]]:
        """The best orders one by one."""
        stack: list[tuple[int, tuple[int, ...]]] = [(0, ())]
        while stack:
            taken, order = stack.pop()
            if len(order) == len(self.cost):
                yield order
                continue
            following = np.flatnonzero(self._next[:, taken])[::-1].tolist()
            stack += [(taken | 1 << item, (*order, item)) for item in following]


@lru_cache(maxsize=MOST_ITEMS + 1)
def _by_size(s: int) -> list[Ints]:
    """The sets of s items, those of each size in an array."""
    sets = np.arange(1 << s)
    sizes = sum(sets >> item & 1 for item in range(s)) + np.zeros_like(sets)
    return [np.flatnonzero(sizes == size) for size in range(s + 1)]
