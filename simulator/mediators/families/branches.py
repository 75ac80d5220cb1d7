"""Every course of choice that ties allow, beside the one under the tie order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simulator.mediators.families.course import Course, Stepwise
from simulator.mediators.families.electorate import Electorate, distinct_rows
from simulator.outcome import TOLERANCE
from simulator.profile import Bools, Floats, Ints

MOST_STATES = 20_000
MOST_CELLS = 1_000_000
MOST_WORK_BEYOND = 5_000


class Branches:
    """All courses of choice after `step` choices, layer by layer; courses that come to the same state go on as one.

    Up to the slate's size, a layer has at most `MOST_STATES` states and `MOST_CELLS` numbers in all, and eight times as
    many before equal states are found. Beyond it, where only the ranking's ties are at stake, states x ballots x kinds
    of items are at most `MOST_WORK_BEYOND`. A layer that needs more ends the search, and so the list of `cuts`; if the
    slate was not complete before, there are no `ends`.

    Attributes:
        cuts: the places up to which all courses have taken the same items.
        ends: how many items of each kind a course takes for the slate, and how many it is short of the slate's size.
        last: the kinds of which a course takes an item as the very last of all.
        lost: whether not every course was followed.
    """

    def __init__(
        self,
        phases: Sequence[Stepwise],
        people: Electorate,
        sizes: Sequence[int],
        course: Course,
        size: int,
        order_free: bool,
    ) -> None:
        """Start with nothing chosen.

        Args:
            phases, people: as in `Course`.
            sizes: how many items each kind has.
            course: the course under the tie order, which must be ahead of the search. As long as it goes on, it is the
                first one of a layer, and while it is the only one, its own record is all that is looked at.
            size: after how many choices the slate is complete.
            order_free: whether the state follows from what is taken, in whatever order.
        """
        self.cuts: list[int] = []
        self.ends: list[tuple[tuple[int, ...], int]] = []
        self.last: set[int] = set()
        self.lost = False
        self._phases, self._people, self._course = phases, people, course
        self._size, self._order_free = size, order_free
        self._sizes, self._whole = sizes, np.array(sizes, dtype=np.int64)
        self._items = sum(sizes)
        self._step, self._ended, self._scattered = 0, False, False
        self._alone: list[int] | None = [0] * len(sizes)  # what the only course has taken; None if there are several
        self._partly = 0  # how many kinds it has taken some but not all of
        self._taken: Ints = np.zeros((1, len(sizes)), dtype=np.int64)
        self._states: Floats = np.zeros((1, 0))
        self._at: Ints = np.zeros(1, dtype=np.int64)
        self._total = float(people.weights.sum())
        self._arrive()

    def go(self, until: int) -> None:
        """Follow the courses until each has made so many choices, or has ended."""
        while self._step < until and not self._ended:
            if self._alone is None:
                self._choose()
            elif self._step == len(self._course.kinds):
                self._end([self._alone])
                self._ended = True
            elif self._step in self._course.forks:
                self._taken, self._states = np.array([self._alone]), self._course.forks[self._step][None]
                self._at = np.array(self._course.phases[self._step : self._step + 1])
                self._choose()
            else:
                self._take_alone(self._alone)

    def _end(self, taken: Sequence[Sequence[int]]) -> None:
        if self._step < self._size:
            self.ends += [(tuple(row), self._size - self._step) for row in taken]

    def _arrive(self) -> None:
        """Note what the courses have in common after a choice."""
        taken, only = self._taken, self._alone
        if only is None:
            same = len(taken) == 1 or bool((taken == taken[0]).all())
            cut = same and not self._scattered and bool(((taken[0] == 0) | (taken[0] == self._whole)).all())
        else:
            cut = not self._partly
        if cut and self._step:
            self.cuts.append(self._step)
        if self._step == self._size:
            rows = [only] if only is not None else taken[distinct_rows(taken)[0]].tolist()
            self.ends += [(tuple(row), 0) for row in rows]

    def _take_alone(self, taken: list[int]) -> None:
        kind = self._course.kinds[self._step]
        taken[kind] += 1
        if self._sizes[kind] > 1:
            self._partly += (taken[kind] == 1) - (taken[kind] == self._sizes[kind])
        self._step += 1
        if self._step == self._items:
            self.last.add(kind)
        self._arrive()

    def _choose(self) -> None:
        """Let every course make each of its best next choices; the layer after them takes this one's place."""
        states = self._states
        worth = self._worth(states)
        best = worth.max(axis=1, keepdims=True)
        goes = best[:, 0] > -np.inf
        if not goes.all():
            self._end(self._taken[~goes].tolist())
            self._scattered = True
            self._ended = not goes.any()
            if self._ended:
                return
        tied = (worth >= best - TOLERANCE * np.abs(best)) & goes[:, None]
        rows, kinds = np.nonzero(tied)
        led = self._step < len(self._course.kinds)
        if led:  # its own next choice goes first
            own = self._course.kinds[self._step]
            others = (rows != 0) | (kinds != own)
            rows, kinds = np.concatenate([[0], rows[others]]), np.concatenate([[own], kinds[others]])
        if self._step + 1 == self._items:
            self.last.update(kinds.tolist())
        n, all_kinds = len(self._people.weights), len(self._sizes)
        if len(rows) * (all_kinds if self._order_free else max(n, all_kinds)) > 8 * MOST_CELLS:
            self._lose()
            return
        taken = self._taken[rows]
        taken[np.arange(len(rows)), kinds] += 1
        if self._order_free:
            kept = distinct_rows(taken)[0]
            rows, kinds, taken = rows[kept], kinds[kept], taken[kept]
        after = self._after(states, worth, rows, kinds)
        at = self._at[rows]
        if not self._order_free and len(rows) > 1:
            # Loads are of the order of 1 / total weight; adding 0 turns -0 into 0.
            kept = distinct_rows(np.concatenate([taken, np.round(after * self._total, 9) + 0.0], axis=1))[0]
            after, taken, at = after[kept], taken[kept], at[kept]
        if self._step < self._size:
            too_many = len(taken) > MOST_STATES or len(taken) * n > MOST_CELLS
        else:
            too_many = len(taken) > 1 and len(taken) * n * all_kinds > MOST_WORK_BEYOND
        if too_many:
            self._lose()
            return
        self._step += 1
        self._taken, self._states, self._at, self._alone = taken, after, at, None
        if led and len(taken) == 1 and not self._scattered:
            self._alone = taken[0].tolist()
            self._partly = int(((taken[0] > 0) & (taken[0] < self._whole)).sum())
        self._arrive()

    def _lose(self) -> None:
        self.lost = self._ended = True
        if self._step < self._size:
            self.ends.clear()

    def _worth(self, states: Floats) -> Floats:
        open_kinds: Bools = self._taken < self._whole
        worth = np.full(open_kinds.shape, -np.inf)
        for phase, rule in enumerate(self._phases):
            here = self._rows_in(phase, self._at)
            if here is not None:
                open_here = open_kinds[here]
                worth[here] = np.where(open_here, rule.worth(states[here], self._people, open_here), -np.inf)
                if phase + 1 < len(self._phases):
                    self._at = np.where((self._at == phase) & (worth.max(axis=1) == -np.inf), phase + 1, self._at)
        return worth

    def _after(self, states: Floats, worth: Floats, rows: Ints, kinds: Ints) -> Floats:
        after = np.empty((len(rows), states.shape[1]))
        for phase, rule in enumerate(self._phases):
            here = self._rows_in(phase, self._at[rows])
            if here is not None:
                row, kind = rows[here], kinds[here]
                after[here] = rule.after(states[row], worth[row, kind][:, None], self._people.columns[kind])
        return after

    def _rows_in(self, phase: int, at: Ints) -> Ints | slice | None:
        """The rows of a phase, None if there are none."""
        if len(self._phases) == 1:
            return slice(None)
        rows = np.flatnonzero(at == phase)
        return rows if len(rows) else None
