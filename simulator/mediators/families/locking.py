"""Ranked pairs: majorities are locked in from the strongest down, in every way that ties between them allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import pairwise

import numpy as np

from simulator.mediators.families.pairwise import Matrix
from simulator.profile import Bools

MOST_UNIVERSES = 200
MOST_IN_CYCLES = 12
_MOST_TRIED = 20 * MOST_UNIVERSES

Pair = tuple[int, int]
"""Upper and lower item of a majority."""
Rows = tuple[int, ...]
"""What each item reaches, as bits; every item reaches itself."""


class _TooMany(Exception):
    """There are more ways to break ties than are followed."""


def lock_in_every_order(strength: Matrix) -> Bools | None:
    """Lock in the majorities of one profile, the strongest first, those that would close a cycle left out.

    Majorities of the same strength can be taken in any order. Whatever the order, those of them that lie on no cycle
    are locked in, so only those on cycles are branched on, each set of items on common cycles by itself.

    Args:
        strength: `(m, m)` of every majority, equal if tied, 0 where there is none.

    Returns:
        `(u, m, m)`, one partial order for every different result: whether the row item stands above the column item;
        None if there are more than `MOST_UNIVERSES`, or `MOST_IN_CYCLES` items on common cycles of one strength.
    """
    m = len(strength)
    universes: list[Rows] = [tuple(1 << item for item in range(m))]
    try:
        for pairs in _classes(strength):
            known = reduce(lambda one, other: tuple(x & y for x, y in zip(one, other, strict=True)), universes)
            left = _undecided(known, pairs)
            if left:
                results = (result for rows in universes for result in _in_every_order(rows, left))
                universes = _different(results)
    except _TooMany:
        return None
    return np.array([_strictly_above(rows) for rows in universes])


def lock_in_item_order(strength: Matrix) -> Bools:
    """The same `(1, m, m)` with ties broken by item order, first of the upper item, then of the lower one."""
    rows: Rows = tuple(1 << item for item in range(len(strength)))
    for pairs in _classes(strength):
        rows = _locked(rows, pairs)
    return _strictly_above(rows)[None]


def _classes(strength: Matrix) -> Iterator[list[Pair]]:
    """The majorities of every strength, the strongest first, each class by upper and then by lower item."""
    flat = strength.ravel()
    order = np.argsort(-flat, kind="stable")
    order = order[: np.count_nonzero(flat)]
    upper, lower = np.divmod(order, len(strength))
    pairs = list(zip(upper.tolist(), lower.tolist(), strict=True))
    cuts = [0, *(np.flatnonzero(np.diff(flat[order])) + 1).tolist(), len(pairs)]
    for start, stop in pairwise(cuts):
        yield pairs[start:stop]


def _undecided(rows: Rows, pairs: Sequence[Pair]) -> list[Pair]:
    return [(a, b) for a, b in pairs if not (rows[a] >> b | rows[b] >> a) & 1]


def _linked(rows: Rows, a: int, b: int) -> Rows:
    """What each item reaches after a is put above b."""
    new = rows[b]
    return tuple([row | new if row >> a & 1 else row for row in rows])


def _locked(rows: Rows, pairs: Sequence[Pair]) -> Rows:
    """What each item reaches after pairs are locked in, one after another, except those that would close a cycle."""
    for a, b in pairs:
        if not (rows[a] >> b | rows[b] >> a) & 1:
            rows = _linked(rows, a, b)
    return rows


def _different(results: Iterator[Rows]) -> list[Rows]:
    found: dict[Rows, None] = {}
    for result in results:
        found[result] = None
        if len(found) > MOST_UNIVERSES:
            raise _TooMany
    return list(found)


def _in_every_order(rows: Rows, pairs: Sequence[Pair]) -> list[Rows]:
    """Every different result of locking in the majorities of one strength."""
    undecided = _undecided(rows, pairs)
    ends = sorted({item for pair in undecided for item in pair})
    place = {item: i for i, item in enumerate(ends)}
    inside = [(place[a], place[b]) for a, b in undecided]
    before = _among(rows, ends)
    possible = _paths(before, inside)
    groups = _on_common_cycles(possible)
    off_cycles = [pair for pair, (a, b) in zip(undecided, inside, strict=True) if not possible[b] >> a & 1]
    results = [_locked(rows, off_cycles)]
    for members in groups:
        local = {x: i for i, x in enumerate(members)}
        on_cycles = [(local[a], local[b]) for a, b in inside if a in local and b in local]
        options = _acyclic(_among(before, members), on_cycles)
        if len(results) * len(options) > MOST_UNIVERSES:
            raise _TooMany
        items = [ends[x] for x in members]
        kept = [[(items[a], items[b]) for a, b in on_cycles if option[a] >> b & 1] for option in options]
        results = [_locked(known, chosen) for known in results for chosen in kept]
    return results


def _paths(rows: Rows, pairs: Sequence[Pair]) -> Rows:
    """What each item reaches if all pairs are put in, cycles or not."""
    paths = list(rows)
    for a, b in pairs:
        paths[a] |= 1 << b
    for stop in range(len(paths)):
        new = paths[stop]
        paths = [row | new if row >> stop & 1 else row for row in paths]
    return tuple(paths)


def _on_common_cycles(paths: Rows) -> list[list[int]]:
    """The sets of more than one item that reach each other."""
    groups, done = [], 0
    for item, row in enumerate(paths):
        if not done >> item & 1:
            members = [x for x in range(item, len(paths)) if row >> x & 1 and paths[x] >> item & 1]
            done |= sum(1 << x for x in members)
            if len(members) > MOST_IN_CYCLES:
                raise _TooMany
            if len(members) > 1:
                groups.append(members)
    return groups


def _among(rows: Rows, items: Sequence[int]) -> Rows:
    """What some of the items reach of each other, as bits of their places in the list."""
    return tuple(sum(1 << i for i, item in enumerate(items) if rows[upper] >> item & 1) for upper in items)


def _acyclic(rows: Rows, todo: Sequence[Pair]) -> list[Rows]:
    """Every result of locking in pairs on cycles in some order: all sets of pairs to which none can be added.

    Pair after pair is locked in, or left out for good; what is left out must in the end be refused, so a branch ends
    where the pairs that are left cannot close a cycle with it any more. The first result takes pairs in item order.
    """
    results: dict[Rows, None] = {}
    tried = 0
    stack: list[tuple[Rows, int, tuple[Pair, ...]]] = [(rows, 0, ())]
    while stack:
        rows, at, left_out = stack.pop()
        tried += 1
        if tried > _MOST_TRIED or len(results) > MOST_UNIVERSES:
            raise _TooMany
        while at < len(todo) and (rows[todo[at][0]] >> todo[at][1] | rows[todo[at][1]] >> todo[at][0]) & 1:
            at += 1
        left_out = tuple([(a, b) for a, b in left_out if not rows[b] >> a & 1])
        if any(rows[a] >> b & 1 for a, b in left_out):
            continue
        if at == len(todo):
            if not left_out:
                results[rows] = None
            continue
        a, b = todo[at]
        possible = rows
        for x, y in _undecided(rows, todo[at + 1 :]):
            if not possible[x] >> y & 1:
                possible = _linked(possible, x, y)
        if all(possible[y] >> x & 1 for x, y in (*left_out, (a, b))):
            stack.append((rows, at + 1, (*left_out, (a, b))))
        stack.append((_linked(rows, a, b), at + 1, left_out))
    return list(results)


def _strictly_above(rows: Rows) -> Bools:
    size = -(-len(rows) // 8)
    octets = np.frombuffer(b"".join(row.to_bytes(size, "little") for row in rows), dtype=np.uint8)
    bits = np.unpackbits(octets.reshape(len(rows), size), axis=1, bitorder="little")[:, : len(rows)]
    return bits.astype(np.bool_) & ~np.eye(len(rows), dtype=np.bool_)
