"""The count of a single transferable vote, with every course that ties allow.

A row is a state of the count: which items are elected, which are left, and what every ballot still weighs. Every row
makes one election or one elimination at a time, and courses that come to the same state go on as one. Bounds as in
`simulator.mediators.families.elimination`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from simulator.mediators.families.agreement import Agreement
from simulator.mediators.families.first_choices import FirstChoices, Piles
from simulator.outcome import close_ranks, tiers_of
from simulator.profile import Bools, Floats, Ints


@dataclass
class Count:
    """The course of the count under the tie order.

    Attributes:
        events: what happened to which item at which total, how many others were tied with it: (act, item, total, ties).
        elected: items in order of election.
        left: the items that were neither elected nor eliminated when all seats were taken, by their last totals.
        gone: items in order of elimination.
        lost_at: how many items were left when there were more courses than are followed; None if all were followed.
        swaps: from there on, items that other courses put in another order, as far as they were seen.
    """

    events: list[tuple[str, int, float, int]] = field(default_factory=list)
    elected: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)
    lost_at: int | None = None
    swaps: list[list[int]] = field(default_factory=list)

    @property
    def order(self) -> tuple[int, ...]:
        """Order of election, then reverse order of elimination."""
        return (*self.elected, *self.left, *reversed(self.gone))


@dataclass(frozen=True)
class _States:
    """Counts by row: those of one `course` have the same weights; in `idle` ones an item without votes has gone."""

    piles: Piles
    elected: Bools
    course: Ints
    idle: Bools

    def take(self, rows: Ints) -> _States:
        return _States(self.piles.take(rows), self.elected[rows], self.course[rows], self.idle[rows])


class TransferCount:
    """Counts until all seats are taken.

    Args:
        choices: the ballots.
        agreement: learns what courses come to.
        seats: number of items to elect.
        quota: total at which an item is elected.
        slack: totals that differ by less are the same.
        most: how many states are followed.
    """

    def __init__(
        self, choices: FirstChoices, agreement: Agreement, seats: int, quota: float, slack: float, most: int
    ) -> None:
        self.choices, self.agreement = choices, agreement
        self.seats, self.quota, self.slack, self.most = seats, quota, slack, most
        self.count = Count()
        self._weights_seen: dict[bytes, int] = {}

    def run(self, weights: Floats) -> Count:
        """Count ballots of these weights `(n,)`."""
        m = self.agreement.m
        piles = self.choices.start(np.ones(m, dtype=np.bool_), weights)
        nobody = np.zeros((1, m), dtype=np.bool_)
        states = _States(piles, nobody, np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.bool_))
        open_, visited, under_tie_order = self._close(states, True), 0, True
        while len(open_):
            under_tie_order = under_tie_order and bool(open_[0] == 0)
            states = states.take(open_)
            states, visited = self._go_on(states, visited, under_tie_order)
            open_ = self._close(states, under_tie_order)
        return self.count

    def _close(self, states: _States, under_tie_order: bool) -> Ints:
        """Settle the rows in which all seats are taken or as many items are left as seats; the others are returned."""
        taken = states.elected.sum(axis=1)
        left = states.piles.left.sum(axis=1)
        closed = (taken == self.seats) | (taken + left <= self.seats)
        for row in np.flatnonzero(closed).tolist():
            self._settle(states, row, under_tie_order and row == 0)
        return np.flatnonzero(~closed)

    def _settle(self, states: _States, row: int, under_tie_order: bool) -> None:
        """The items that are left follow by their totals."""
        items = np.flatnonzero(states.piles.left[row])
        upper = states.elected[row].copy()
        short = upper.sum() < self.seats
        totals = states.piles.totals[row, items]
        if not len(items):
            return
        ranks = close_ranks(totals, np.full(len(items), self.slack * 1e9))
        for tier in tiers_of(ranks, np.argsort(self.agreement.place[items], kind="stable").tolist()):
            pool = np.zeros(self.agreement.m, dtype=np.bool_)
            pool[items[list(tier)]] = True
            self.agreement.note_pool(upper, pool)
            upper |= pool
            if under_tie_order:
                act = "elected" if short else "left"
                for at in tier:
                    (self.count.elected if short else self.count.left).append(int(items[at]))
                    self.count.events.append((act, int(items[at]), float(totals[at]), len(tier) - 1))

    def _go_on(self, states: _States, visited: int, under_tie_order: bool) -> tuple[_States, int]:
        """One election or elimination in every row, in every way that ties allow."""
        piles, place = states.piles, self.agreement.place
        totals = np.where(piles.left, piles.totals, -np.inf)
        high = totals.max(axis=1)
        elects = (high >= self.quota - self.slack) & (high > self.slack)
        totals = np.where(piles.left, piles.totals, np.inf)
        low = totals.min(axis=1)
        empty = ~elects & (low <= self.slack)
        best = piles.left & (piles.totals >= high[:, None] - self.slack)
        tied: Bools = np.where(elects[:, None], best, totals <= low[:, None] + self.slack)
        for row in np.flatnonzero(empty & ~states.idle).tolist():
            self.agreement.note_pool(states.elected[row] | (piles.left[row] & ~tied[row]), tied[row])
        last = np.where(tied, place, -1).argmax(axis=1)
        first = np.where(tied, -place, -len(place)).argmax(axis=1)
        ways = np.where(elects[:, None], self.agreement.firsts(tied), self.agreement.lasts(tied))
        ways[empty] = np.arange(len(place)) == last[empty, None]  # in whatever order they go, nothing else changes

        rows, items = np.nonzero(ways)
        turn = 0
        if under_tie_order:
            item = int(first[0] if elects[0] else last[0])
            turn = int(np.flatnonzero((rows == 0) & (items == item))[0])
            act = "elected" if elects[0] else "eliminated"
            self.count.events.append((act, item, float(piles.totals[0, item]), int(tied[0].sum()) - 1))
            (self.count.elected if elects[0] else self.count.gone).append(item)
            if self.count.lost_at is not None:
                self.count.swaps.append(np.flatnonzero(tied[0]).tolist())
        children = states.take(rows)
        left, elected, elects = children.piles.left, children.elected, elects[rows]
        left[np.arange(len(rows)), items] = False
        elected[np.flatnonzero(elects), items[elects]] = True
        different = _different(left, elected, children.course * 2 + elects, turn)
        self.agreement.note(np.where(elects[:, None], elected, elected | left)[different])
        if self.count.lost_at is not None:
            different = different[:1]
        elif len(different) > 1 and visited + len(different) > self.most:
            different = self._lose(left, elected, different, under_tie_order)

        rows, items, elects = rows[different], items[different], elects[different]
        before = states.piles.take(rows)
        pile = before.totals[np.arange(len(rows)), items]
        kept = np.where(elects, np.maximum(0.0, pile - self.quota) / np.where(elects, pile, 1.0), 1.0)
        after = self.choices.without(before, items, kept if elects.any() else None)
        course = children.course[different]
        for row in np.flatnonzero(elects).tolist():
            key = np.round(after.weights[row] / (self.slack * 1e9), 12).tobytes()
            course[row] = self._weights_seen.setdefault(key, len(self._weights_seen) + 1)
        return _States(after, elected[different], course, empty[rows]), visited + len(rows)

    def _lose(self, left: Bools, elected: Bools, different: Ints, under_tie_order: bool) -> Ints:
        """Go on with one course, if possible that under the tie order."""
        self.count.lost_at = int(left[0].sum()) + 1
        if under_tie_order:
            mine = different[0]
            for row in different[1:].tolist():
                if elected[row].sum() == elected[mine].sum():
                    up = elected[row] ^ elected[mine]
                    down = (elected[row] | left[row]) ^ (elected[mine] | left[mine])
                    self.count.swaps += [np.flatnonzero(items).tolist() for items in (up, down) if items.any()]
        return different[:1]


def _different(left: Bools, elected: Bools, course: Ints, first: int) -> Ints:
    """The first row of every state, beginning with the row `first`."""
    if len(left) == 1:
        return np.zeros(1, dtype=np.int64)
    packed = np.packbits(np.concatenate([left, elected], axis=1), axis=1)
    keys = [(row.tobytes(), number) for row, number in zip(packed, course.tolist(), strict=True)]
    found = {keys[first]: first}
    for row, key in enumerate(keys):
        found.setdefault(key, row)
    return np.fromiter(found.values(), dtype=np.int64)
