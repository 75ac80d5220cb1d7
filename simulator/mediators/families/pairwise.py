"""Who is ranked above whom by how much weight: the matrices that Condorcet rules work on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from simulator.outcome import TOLERANCE
from simulator.profile import Bools, Floats, Profile

Matrix = NDArray[Any]
"""`(..., m, m)`: the smallest integers that are exact, else float64; rows are the items that are ranked above."""

Strength = Literal["margins", "winning_votes"]

_BLOCK = 400_000  # comparisons at a time, of one byte each: they stay in a core's own cache
_MOST_IN_BYTES = 127


@dataclass(frozen=True)
class Duels:
    """All pairs of items of one profile or of a batch.

    Attributes:
        support: N(a, b) = weight of the ballots that rank a strictly above b, `(..., m, m)`; an integer array where
            all weights are integers.
        weight: `(...,)` sum of the ballots' weights.
    """

    support: Matrix
    weight: Floats

    @property
    def m(self) -> int:
        """Number of items."""
        return int(self.support.shape[-1])

    @cached_property
    def margins(self) -> Matrix:
        """M(a, b) = N(a, b) - N(b, a); margins that differ by rounding alone are made equal."""
        margins = self.support - np.swapaxes(self.support, -1, -2)
        if margins.dtype.kind == "i":
            return np.asarray(margins)
        return np.asarray(np.copysign(self._settled(np.abs(margins)), margins) + 0.0)

    @cached_property
    def beats(self) -> Bools:
        """Whether the row item beats the column item by majority."""
        return np.asarray(self.margins > 0)

    @cached_property
    def opposed(self) -> Matrix:
        """N(a, b), numbers that differ by rounding alone made equal."""
        return self.support if self.support.dtype.kind == "i" else self._settled(self.support)

    def strength(self, by: Strength) -> Matrix:
        """How strong each majority is, 0 where there is none: by its margin, or by the weight on the winning side."""
        return np.where(self.beats, self.margins if by == "margins" else self.opposed, self.support.dtype.type(0))

    def _settled(self, values: Floats) -> Floats:
        """The same numbers, of which those that differ by rounding alone become the smallest of them."""
        flat = values.reshape(-1, self.m**2)
        order = np.argsort(flat, axis=-1, kind="stable")
        ascending = np.take_along_axis(flat, order, axis=-1)
        starts = np.ones(flat.shape, dtype=np.bool_)
        starts[:, 1:] = np.diff(ascending, axis=-1) > TOLERANCE * self.weight.reshape(-1, 1)
        at = np.maximum.accumulate(np.where(starts, np.arange(self.m**2), 0), axis=-1)
        settled = np.empty_like(flat)
        np.put_along_axis(settled, order, np.take_along_axis(ascending, at, axis=-1), axis=-1)
        return settled.reshape(values.shape)


def duels(profile: Profile) -> Duels:
    """The duels of a profile, in the smallest type that holds them exactly."""
    shape = (*profile.ranks.shape[:-2], profile.m, profile.m)
    ranks = profile.ranks.reshape(prod(shape[:-2]), profile.n, profile.m)
    support = _tally(ranks, profile.weights.reshape(len(ranks), profile.n))
    return Duels(support.reshape(shape), np.asarray(profile.weights.sum(axis=-1)))


def in_blocks(profile: Profile, entries: int) -> Iterator[Profile]:
    """The profiles of a batch along one axis, in parts whose matrices have about so many entries; at least one part."""
    ranks = profile.ranks.reshape(prod(profile.ranks.shape[:-2]), profile.n, profile.m)
    weights = profile.weights.reshape(len(ranks), profile.n)
    size = max(1, entries // profile.m**2)
    for start in range(0, max(1, len(ranks)), size):
        part = slice(start, start + size)
        yield Profile(profile.items, ranks[part], weights[part], voters=profile.voters)


def pairwise_support(profile: Profile) -> Floats:
    """N(a, b) = sum of the weights of the ballots that rank a strictly above b; `(..., m, m)`, rows are a.

    Exact for integer weights. Ballots are taken in blocks, so memory beside the result stays bounded.
    """
    return duels(profile).support.astype(np.float64, copy=False)


def majority(support: Floats, weights: Floats) -> Bools:
    """Whether the row item beats the column item: N(a, b) > N(b, a), by more than rounding; `(..., m, m)`."""
    slack = TOLERANCE * weights.sum(axis=-1)[..., None, None]
    return np.asarray(support - np.swapaxes(support, -1, -2) > slack)


def _tally(ranks: Matrix, weights: Floats) -> Matrix:
    """N `(b, m, m)` of ranks `(b, n, m)` and weights `(b, n)`.

    Ballots of equal weight are counted: comparisons are bytes and so are their sums, up to 127 ballots at a time.
    Ballots of different weights go through a matrix product, in single precision where that is exact.
    """
    b, n, m = ranks.shape
    compact = ranks.astype(np.int8 if m <= _MOST_IN_BYTES else np.int32)
    each = weights[:1, :1].ravel()
    equal = bool((weights == (each if each.size else 0.0)).all())
    kind = _exact_type(weights)
    counted = np.dtype(np.int8) if n <= _MOST_IN_BYTES else np.dtype(np.int32)
    mixed = np.float32 if kind.kind == "i" and weights.sum(axis=-1).max(initial=0.0) < 2**24 else np.float64
    total = np.zeros((b, m, m), dtype=counted if equal else mixed)
    voters = max(1, min(n, _BLOCK // (m * m), _MOST_IN_BYTES))
    profiles = max(1, _BLOCK // (m * m * voters))
    for p in range(0, b, profiles):
        for v in range(0, n, voters):
            part = compact[p : p + profiles, v : v + voters]
            above: Bools = np.less(part[..., :, None], part[..., None, :])
            if equal:
                total[p : p + profiles] += np.add.reduce(above.view(np.int8), axis=1, dtype=np.int8)
            else:
                rows = weights[p : p + profiles, None, v : v + voters].astype(mixed)
                flat = rows @ above.reshape(*above.shape[:2], m * m).astype(mixed)
                total[p : p + profiles] += flat.reshape(-1, m, m)
    if equal and each.size and each[0] != 1:
        return np.asarray(total.astype(kind) * kind.type(each[0]))
    return np.asarray(total.astype(kind, copy=False))


def _exact_type(weights: Floats) -> np.dtype[Any]:
    """The smallest type that holds sums and differences of the weights; exact if all of them are integers."""
    most = weights.sum(axis=-1).max(initial=0.0)
    if most >= 2**53 or (weights != np.floor(weights)).any():
        return np.dtype(np.float64)
    return np.dtype(next(kind for kind in (np.int8, np.int16, np.int32, np.int64) if most <= np.iinfo(kind).max))
