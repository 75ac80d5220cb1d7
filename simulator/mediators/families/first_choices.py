"""Whose first choice every ballot is among the items that are left, counted for many sets of items at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulator.mediators.conversions import cast_weights
from simulator.profile import Bools, Floats, Ints, Profile


@dataclass(frozen=True)
class CastBallots:
    """The ballots that have weight and rank anything.

    Attributes:
        ranks: `(n, m)` as in a profile.
        weights: `(n,)`, all positive.
    """

    ranks: Ints
    weights: Floats

    @property
    def total(self) -> float:
        """Sum of the weights."""
        return float(self.weights.sum())


def cast_ballots(profile: Profile) -> CastBallots:
    """The ballots that a count counts: an abstention or a weight of 0 changes nothing."""
    weights = cast_weights(profile)
    counted = weights > 0
    ranks = profile.ranks if counted.all() else profile.ranks[counted]
    return CastBallots(ranks, weights[counted])


@dataclass(frozen=True)
class Piles:
    """Counts of first choices, one row for every set of items that are left.

    Attributes:
        left: `(s, m)` the items that are left.
        top: `(s, n)` the tier of every ballot's first choices among them, `n` ballots; beyond all tiers if it has none.
        weights: `(s, n)` what every ballot still weighs, or `(1, n)` if that is the same in all rows.
        totals: `(s, m)` the weight of the ballots whose first choice an item is; 0 for items that are gone.
    """

    left: Bools
    top: NDArray[np.int32]
    weights: Floats
    totals: Floats

    def take(self, rows: Ints) -> Piles:
        """Some of the rows."""
        weights = self.weights if len(self.weights) == 1 else self.weights[rows]
        return Piles(self.left[rows], self.top[rows], weights, self.totals[rows])


class FirstChoices:
    """Counts ballots by their first choices; a ballot with several first choices is shared equally among them.

    When an item goes, only the ballots of its pile are looked at again.

    Args:
        tiers: `(n, m)` order of preference, smaller is better.
        uncounted: which entries `(n, m)` are never a choice; none by default.
    """

    def __init__(self, tiers: Ints, uncounted: Bools | None = None) -> None:
        n = len(tiers)
        self._gone = int(tiers.max(initial=0)) + 1
        self._tiers = (tiers if uncounted is None else np.where(uncounted, self._gone, tiers)).astype(np.int32)
        self._by_item = np.ascontiguousarray(self._tiers.T)
        flat = self._tiers + np.arange(n)[:, None] * (self._gone + 1)
        sizes = np.bincount(flat.ravel(), minlength=n * (self._gone + 1)).reshape(n, self._gone + 1)
        self._strict = bool(sizes[:, :-1].max(initial=0) <= 1)

    def start(self, left: Bools, weights: Floats) -> Piles:
        """The first count, one row: `left` `(m,)`, `weights` `(n,)`."""
        tiers = np.where(left, self._tiers, self._gone)
        top = tiers.min(axis=1)
        choices = (tiers == top[:, None]) & (top < self._gone)[:, None]
        totals = (weights / np.maximum(choices.sum(axis=1), 1)) @ choices
        top = np.where(top < self._gone, top, self._gone + 1)
        return Piles(left[None].copy(), top[None], weights[None], totals[None])

    def without(self, piles: Piles, items: Ints, kept: Floats | None = None) -> Piles:
        """The counts after one item `(s,)` is gone in every row.

        Args:
            piles: the counts before.
            items: the item that goes, by row.
            kept: `(s,)` which part of the weight on the item's pile moves on; all of it by default.
        """
        s, m = piles.left.shape
        every = np.arange(s)
        left = piles.left.copy()
        left[every, items] = False
        rows, ballots = np.nonzero(self._by_item[items] == piles.top)
        tiers = np.where(left[rows], self._tiers[ballots], self._gone)
        weights = piles.weights
        before = weights[rows if len(weights) > 1 else 0, ballots]
        if self._strict:
            shares: Floats | None = None
            choice = tiers.argmin(axis=1)
            top = tiers[np.arange(len(rows)), choice]
        else:
            top = tiers.min(axis=1)
            beside = tiers == piles.top[rows, ballots][:, None]
            shares = before / (beside.sum(axis=1) + 1)
        after = before
        if kept is not None:
            after = before - (1 - kept[rows]) * (before if shares is None else shares)
            weights = np.repeat(weights, s, axis=0) if len(weights) < s else weights.copy()
            weights[rows, ballots] = after
        some = top < self._gone
        if shares is None:
            at = rows * m + choice
            gains = np.bincount(at, np.where(some, after, 0.0), minlength=s * m).reshape(s, m)
        else:
            choices = (tiers == top[:, None]) & some[:, None]
            moves = (after / np.maximum(choices.sum(axis=1), 1))[:, None] * choices - shares[:, None] * beside
            cells = (rows[:, None] * m + np.arange(m)).ravel()
            gains = np.bincount(cells, moves.ravel(), minlength=s * m).reshape(s, m)
        totals = piles.totals + gains
        totals[every, items] = 0.0
        tops = piles.top.copy()
        tops[rows, ballots] = np.where(some, top, self._gone + 1)
        return Piles(left, tops, weights, totals)
