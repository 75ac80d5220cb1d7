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


def _each(members: Sequence[Sequence[int]], taken: Sequence[int], short: int) -> Iterator[Slate]:
    parts = [combinations(items, count) for items, count in zip(members, taken, strict=True) if count]
    for choice in product(*parts):
        chosen = list(chain.from_iterable(choice))
        if short:
            within = set(chosen)
            others = [item for items in members for item in items if item not in within]
            for more in combinations(others, short):
                yield tuple(sorted([*chosen, *more]))
        else:
            yield tuple(sorted(chosen))
