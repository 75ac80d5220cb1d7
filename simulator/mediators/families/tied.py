"""Tied slates, listed item by item from how many items of each kind they take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, islice, product

from simulator.outcome import MOST_SLATES

Slate = tuple[int, ...]


def listed(
    members: Sequence[Sequence[int]], ends: Iterable[tuple[Sequence[int], int]], delivered: Iterable[int]
) -> tuple[tuple[Slate, ...], bool]:
    """At most `MOST_SLATES` slates, each in item order, the delivered one among them; and whether these are all.

    Args:
        members: the items of each kind.
        ends: how many items of each kind a slate takes, in every way, and how many of any other items beside them.
        delivered: the items of the delivered slate.
    """
    found = {tuple(sorted(delivered)): True}
    for taken, short in ends:
        for slate in islice(_each(members, taken, short), MOST_SLATES + 1):
            if slate not in found:
                if len(found) == MOST_SLATES:
                    return tuple(sorted(found)), False
                found[slate] = True
    return tuple(sorted(found)), True


def ways(members: Sequence[Sequence[int]], taken: Sequence[int], most: int) -> Iterator[Slate]:
    """At most `most` ways to take so many items of each kind, `taken`, out of its `members`."""
    # `product` writes down all it is given before it starts, and C(30, 15) is 155 million.
    parts = [islice(combinations(items, count), most) for items, count in zip(members, taken, strict=True) if count]
    return (tuple(chain.from_iterable(choice)) for choice in islice(product(*parts), most))


def _fillings(taken: Sequence[int], sizes: Sequence[int], short: int) -> Iterator[Sequence[int]]:
    """How many items of each kind there are once `short` more are taken, in every way; kinds have `sizes` items."""
    counts, left, start = list(taken), short, 0
    while True:
        for kind in range(start, len(sizes)):
            more = min(left, sizes[kind] - counts[kind])
            counts[kind] += more
            left -= more
        yield tuple(counts)
        # The last kind of which one can be taken less and one of a later kind more; what stands behind it starts anew.
        room = 0
        for kind in reversed(range(len(sizes))):
            if room and counts[kind] > taken[kind]:
                break
            room += sizes[kind] - counts[kind]
            left += counts[kind] - taken[kind]
            counts[kind] = taken[kind]
        else:
            return
        counts[kind] -= 1
        left, start = left + 1, kind + 1


def _each(members: Sequence[Sequence[int]], taken: Sequence[int], short: int) -> Iterator[Slate]:
    """Every slate once, so that so many of them are so many different ones."""
    for counts in _fillings(taken, list(map(len, members)), short):
        for slate in ways(members, counts, MOST_SLATES + 1):
            yield tuple(sorted(slate))
