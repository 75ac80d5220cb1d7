"""Who approves what, as arrays for arithmetic: identical ballots are one heavier ballot, identical items one kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.profile import Bools, Floats, Ints


@dataclass(frozen=True)
class Electorate:
    """Ballots with weight and the kinds of items that they tell apart.

    Attributes:
        weights: `(n,)`, all positive; in units of `scale`, so that no sum of them overflows.
        columns: `(c, n)` what an item of each kind gets from each ballot: 1 or 0 for approvals, else a utility.
        sizes: `(c,)` how many items each kind has.
        scale: the ballots' own weights are `weights * scale`; a power of two.
        binary: whether `columns` holds approvals.
    """

    weights: Floats
    columns: Floats
    sizes: Ints
    scale: float
    binary: bool

    @property
    def values(self) -> Floats:
        """The same as `columns` by ballot, `(n, c)`."""
        return self.columns.T

    @cached_property
    def approves(self) -> Floats:
        """Who gives an item of each kind anything, `(n, c)` as 1 and 0."""
        return (self.columns if self.binary else (self.columns > 0).astype(np.float64)).T

    @cached_property
    def support(self) -> Floats:
        """Weight of the ballots that approve each kind, `(c,)`."""
        return self.weights @ self.approves

    @cached_property
    def per_support(self) -> Floats:
        """1 / support, `(c,)`; 0 without any."""
        return np.where(self.support > 0, 1 / np.where(self.support > 0, self.support, 1.0), 0.0)

    @cached_property
    def unsupported(self) -> Floats:
        """-inf for kinds that no ballot approves, 0 for others, `(c,)`."""
        return np.where(self.support > 0, 0.0, -np.inf)

    def only(self, kinds: Bools) -> Electorate:
        """The same ballots on some of the kinds."""
        return Electorate(self.weights, self.columns[kinds], self.sizes[kinds], self.scale, self.binary)


def gather(values: NDArray[Any], weights: Floats, in_order: Sequence[int]) -> tuple[Electorate, list[list[int]]]:
    """The electorate of ballots on items, and the items of every kind.

    Args:
        values: `(n, m)` approvals or utilities.
        weights: `(n,)`; ballots without weight are left out.
        in_order: all items in tie order; the items of a kind stand in it. Kinds stand in item order of their first.
    """
    scale = float(power_of_two(weights)[0])
    scaled = weights / scale
    counted = scaled > 0
    if not counted.all():
        values, scaled = values[counted], scaled[counted]
    firsts, group = distinct_rows(values)
    if len(firsts) < len(values):
        values, scaled = values[firsts], np.asarray(np.bincount(group, weights=scaled), dtype=np.float64)
    columns = np.ascontiguousarray(values.T)
    firsts, group = distinct_rows(columns)
    members: list[list[int]] = [[] for _ in firsts]
    kind_of = group.tolist()
    for item in in_order:
        members[kind_of[item]].append(item)
    if len(firsts) < len(columns):
        columns = columns[firsts]
    sizes = np.array([len(items) for items in members])
    binary = columns.dtype == np.bool_
    return Electorate(scaled, columns.astype(np.float64, copy=False), sizes, scale, binary), members


def power_of_two(values: Floats) -> Floats:
    """The greatest power of two `(..., 1)` up to the largest of the values `(..., n)`; 1 where none is above 0."""
    largest = values.max(axis=-1, keepdims=True, initial=0.0)
    return np.where(largest > 0, np.ldexp(1.0, np.frexp(largest)[1] - 1), 1.0)


def distinct_rows(rows: NDArray[Any]) -> tuple[Ints, Ints]:
    """Where every different row of a table first stands, in order, and for each row the number of its like."""
    count = len(rows)
    if rows.dtype == np.bool_:
        packed = np.packbits(rows, axis=1)
        rows = np.zeros((count, -(-packed.shape[1] // 8) * 8), dtype=np.uint8)
        rows[:, : packed.shape[1]] = packed
    words = np.ascontiguousarray(rows).view(np.uint64)
    if count > 64 and words.shape[1]:
        # Rows whose mixed words differ are different: the usual case, found without comparing whole rows.
        mixers = (np.arange(1, words.shape[1] + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)) | np.uint64(1)
        mixed = np.sort((words ^ (words >> np.uint64(29))) @ mixers)
        if (mixed[1:] != mixed[:-1]).all():
            return np.arange(count), np.arange(count)
    width, data = 8 * words.shape[1], words.tobytes()
    number: dict[bytes, int] = {}
    group = [number.setdefault(data[i * width : (i + 1) * width], len(number)) for i in range(count)]
    firsts = [-1] * len(number)
    for row, which in enumerate(group):
        if firsts[which] < 0:
            firsts[which] = row
    return np.array(firsts, dtype=np.int64), np.array(group, dtype=np.int64)
