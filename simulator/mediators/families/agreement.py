"""What all courses of a count agree on, however ties are broken, and every slate that one of them comes to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice

import numpy as np

from simulator.mediators.families.tied import ways
from simulator.outcome import MOST_SLATES
from simulator.profile import Bools, Ints

Slates = tuple[tuple[int, ...], ...]

_MOST_TRIED = 20 * MOST_SLATES


def kinds_of(ranks: Ints) -> Ints:
    """The kind `(m,)` of every item: items that stand in the same place on every ballot `(n, m)` are of one kind."""
    found: dict[bytes, int] = {}
    columns = np.ascontiguousarray(ranks.T)
    return np.array([found.setdefault(column.tobytes(), len(found)) for column in columns], dtype=np.int64)


class Agreement:
    """The upper parts of the rankings that all courses of a count come to.

    Items of one kind are interchangeable, so a course only ever takes the first of a kind in the tie order into the
    upper part of its ranking and leaves the last ones below; all other ways follow from this one.
    """

    def __init__(self, kinds: Ints, in_order: Sequence[int]) -> None:
        self.m = len(kinds)
        self.place = np.empty(self.m, dtype=np.int64)
        self.place[list(in_order)] = np.arange(self.m)
        self.sizes = np.bincount(kinds)
        self.all_differ = len(self.sizes) == self.m
        self._members: list[list[int]] = [[] for _ in self.sizes]
        for item in in_order:
            self._members[kinds[item]].append(item)
        self._before, self._after = np.arange(self.m), np.arange(self.m)
        for members in self._members:
            self._before[members[1:]], self._after[members[:-1]] = members[:-1], members[1:]
        self._kinds = kinds
        self._uppers: list[dict[bytes, None]] = [{} for _ in range(self.m + 1)]
        self._uncertain = np.zeros(self.m + 1, dtype=np.bool_)
        self._pools: dict[tuple[bytes, bytes], None] = {}

    def firsts(self, among: Bools) -> Bools:
        """Of the items `(s, m)` the first of every kind in the tie order."""
        if self.all_differ:
            return among
        return np.asarray(among & ~(among[:, self._before] & (self._before != np.arange(self.m))))

    def lasts(self, among: Bools) -> Bools:
        """Of the items `(s, m)` the last of every kind in the tie order."""
        if self.all_differ:
            return among
        return np.asarray(among & ~(among[:, self._after] & (self._after != np.arange(self.m))))

    def note(self, uppers: Bools) -> None:
        """Some courses have these items `(s, m)` above all others."""
        sizes = uppers.sum(axis=1)
        for size, packed in zip(sizes.tolist(), np.packbits(uppers, axis=1), strict=True):
            self._uppers[size][packed.tobytes()] = None
        if not self.all_differ:
            counts = np.zeros((len(uppers), len(self.sizes)), dtype=np.int64)
            rows, items = np.nonzero(uppers)
            np.add.at(counts, (rows, self._kinds[items]), 1)
            partial = ((counts > 0) & (counts < self.sizes)).any(axis=1)
            self._uncertain[sizes[partial]] = True

    def note_pool(self, upper: Bools, pool: Bools) -> None:
        """Some course has the items `upper` `(m,)` above all others and then those of `pool` in every order."""
        start, size = int(upper.sum()), int(pool.sum())
        self.note(np.stack([upper, upper | pool]))
        if size > 1:
            self._uncertain[start + 1 : start + size] = True
            self._pools[np.packbits(upper).tobytes(), np.packbits(pool).tobytes()] = None

    def note_swaps(self, order: Sequence[int], swaps: Iterable[Sequence[int]]) -> None:
        """Some courses put the items of each of `swaps` in another order than the one under the tie order does."""
        position = np.empty(self.m, dtype=np.int64)
        position[list(order)] = np.arange(self.m)
        for items in swaps:
            places = position[list(items)]
            self._uncertain[places.min() + 1 : places.max() + 1] = True

    def ranks(self, order: Sequence[int]) -> Ints:
        """Tiers `(m,)` of a ranking: a tier ends where all courses have the same items above."""
        cut = [len(self._uppers[size]) == 1 and not self._uncertain[size] for size in range(1, self.m)]
        ranks = np.empty(self.m, dtype=np.int64)
        ranks[list(order)] = np.concatenate([[0], np.cumsum(cut)])
        return ranks

    def slates(self, k: int, delivered: Sequence[int]) -> tuple[Slates, bool]:
        """The sets of first k items of all courses, each in item order, and whether these are all.

        Args:
            k: 1..m.
            delivered: one of them, which is always listed.
        """
        found = {tuple(sorted(delivered))}
        tried = 0
        for slate in islice(self._ways(k), _MOST_TRIED + 1):
            tried += 1
            found.add(slate)
            if len(found) > MOST_SLATES:
                found.remove(slate)
                return tuple(sorted(found)), False
        return tuple(sorted(found)), tried <= _MOST_TRIED

    def winners(self, first: int) -> tuple[int, ...]:
        """All items that come first in some course."""
        return tuple(sorted({item for (item,) in self._ways(1)} | {first}))

    def _ways(self, k: int) -> Iterator[tuple[int, ...]]:
        for key in self._uppers[k]:
            yield from self._expanded(self._unpacked(key))
        for upper, pool in self._pools:
            fixed, free = self._unpacked(upper), self._unpacked(pool)
            if len(fixed) < k < len(fixed) + len(free):
                for rest in combinations(free, k - len(fixed)):
                    yield from self._expanded([*fixed, *rest])

    def _unpacked(self, key: bytes) -> list[int]:
        bits = np.unpackbits(np.frombuffer(key, dtype=np.uint8), count=self.m)
        items: list[int] = np.flatnonzero(bits).tolist()
        return items

    def _expanded(self, items: list[int]) -> Iterator[tuple[int, ...]]:
        """The items, and all others of the same kinds in their place."""
        if self.all_differ:
            yield tuple(sorted(items))
            return
        counts = np.bincount(self._kinds[items], minlength=len(self.sizes)).tolist()
        for way in ways(self._members, counts, _MOST_TRIED + 1):
            yield tuple(sorted(way))
