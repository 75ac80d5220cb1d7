"""Slates as counts: how many items of each kind they take, where the items of a kind have the same supporters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simulator.mediators.families.slates import SlateChoice, earliest
from simulator.mediators.families.tied import Slate, listed
from simulator.outcome import MOST_SLATES
from simulator.profile import Ints


def number_of_counts(sizes: Sequence[int], k: int) -> int:
    """In how many ways k items can be taken from kinds of these sizes, if items of a kind are the same."""
    ways = [1] + [0] * k
    for size in sizes:
        ways = [sum(ways[max(0, total - size) : total + 1]) for total in range(k + 1)]
    return ways[k]


def all_counts(sizes: Sequence[int], k: int) -> Ints:
    """All ways `(v, c)` to take k items from kinds of these sizes."""
    rows = np.zeros((1, 0), dtype=np.int16)
    left, beyond = np.array([k]), sum(sizes)
    for size in sizes:
        beyond -= size
        low, high = np.maximum(0, left - beyond), np.minimum(left, size)
        ways = high - low + 1
        at = np.repeat(np.arange(len(rows)), ways)
        first = np.repeat(np.cumsum(ways) - ways, ways)
        count = low[at] + np.arange(len(at)) - first
        rows = np.column_stack([rows[at], count.astype(np.int16)])
        left = left[at] - count
    return rows.astype(np.int64)


def choice_of_counts(
    best: Ints,
    members: Sequence[Sequence[int]],
    in_order: Sequence[int],
    next_best: Ints | None,
    how: str,
    *,
    complete: bool,
    optimal: bool,
) -> SlateChoice:
    """The choice of tied slates, given as counts `(t, c)`.

    Args:
        best, next_best: the counts of the best slates and of one that is next best, if it is known.
        members: the items of each kind in tie order.
        in_order: the tie order.
        how: how they were found.
        complete: whether these are all.
        optimal: whether it is certain that no slate is better.
    """
    m = len(in_order)
    kind_of, spot = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    for kind, items in enumerate(members):
        kind_of[items], spot[items] = kind, np.arange(len(items))
    first = best[earliest(spot < best[:, kind_of], in_order)]
    delivered = _first_of(first, spot, kind_of)
    tied, all_listed = listed(members, [(row, 0) for row in best[: MOST_SLATES + 1].tolist()], delivered)
    sizes = np.array(list(map(len, members)))
    by_kind = np.where((best == sizes).all(axis=0), 0, np.where((best > 0).any(axis=0), 1, 2))
    return SlateChoice(
        delivered,
        tied,
        by_kind[kind_of],
        None if next_best is None else _first_of(next_best, spot, kind_of),
        complete and all_listed,
        optimal,
        how,
    )


def _first_of(counts: Ints, spot: Ints, kind_of: Ints) -> Slate:
    return tuple(np.flatnonzero(spot < counts[kind_of]).tolist())
