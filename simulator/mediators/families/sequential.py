"""Approval rules that choose one item after another: the order of choice is a ranking, its first k items a slate."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.mediators.base import Mediator
from simulator.mediators.conversions import approvals, cast_weights, check_approve
from simulator.outcome import MOST_SLATES, TOLERANCE, Memory, Outcome, Step, Trace, tiers_of
from simulator.profile import Bools, Floats, Ints, Profile

MOST_STATES = 200

Taken = tuple[int, ...]


@dataclass(frozen=True)
class SequentialMediator(Mediator):
    """A rule that chooses items one by one by a value that depends on what each ballot has got so far.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5 (`conversions.approvals`).
    """

    approve: str = "auto"

    def __post_init__(self) -> None:
        check_approve(self.approve)

    @abstractmethod
    def values(self, state: Floats, weights: Floats, supporters: Bools) -> Floats:
        """Value `(s, c)` of choosing each item next, larger is better.

        Args:
            state: `(s, n)` what each ballot has got so far, 0 at the start, for s courses of choice at once.
            weights: `(n,)`, all positive.
            supporters: `(c, n)` who approves the items; every item has a supporter.
        """

    @abstractmethod
    def after(self, state: Floats, value: Floats, supporters: Bools) -> Floats:
        """State `(s, n)` after the choice of items with the supporters `(s, n)` at the values `(s, 1)`."""

    def first_place_points(self, profile: Profile, outcome: Outcome) -> Floats | None:
        """The weight of its approvals: as long as no ballot has got anything, the first choice has most of it."""
        return None if outcome.trace.values is None else profile.weights[:, None] * outcome.trace.values

    def shown(self, value: float) -> float:
        """The value as the rule's paper states it."""
        return value

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Choose items one by one until all that anybody approves are chosen; the others come last, tied."""
        approved, notes = approvals(profile, self.approve, k)
        weights = cast_weights(profile)
        in_order = list(range(profile.m) if priority is None else priority)
        course = _Course(self, approved[weights > 0], weights[weights > 0], in_order)
        course.run(k)
        rest = [item for item in in_order if item not in course.chosen]
        order = (*course.chosen, *rest)
        ranks = np.searchsorted(course.cuts, np.arange(profile.m), side="right")
        by_item = np.empty(profile.m, dtype=np.int64)
        by_item[list(order)] = ranks
        if course.lost_at is not None:
            notes += (f"From choice {course.lost_at} on there are more ways to break ties than were followed.",)
        slates, complete = course.slates(k, rest)
        return Outcome(
            mediator=self.label,
            items=profile.items,
            k=k,
            order=order,
            tier_indices=tiers_of(by_item, order),
            slate_indices=order[:k],
            score_values=None,
            trace=Trace(
                self.rule,
                values=approved.astype(np.float64),
                steps=tuple(
                    Step(profile.items[item], self.shown(value), f"tied with {ties} more" if ties else "")
                    for item, value, ties in zip(course.chosen, course.at, course.ties, strict=True)
                ),
            ),
            tied_slates=slates,
            tied_winners=course.winners or tuple(range(profile.m)),
            complete=complete,
            notes=notes,
        )


class _Course:
    """The course of choice under one tie order, and beside it every other course that ties allow.

    Items with the same supporters are interchangeable, so a state counts how many of each kind are taken; this keeps
    the number of different states small. A cut is a place in the ranking where all courses have taken the same items.
    """

    def __init__(self, rule: SequentialMediator, approved: Bools, weights: Floats, in_order: Sequence[int]) -> None:
        self.rule, self.weights = rule, weights
        kinds: dict[bytes, list[int]] = {}
        columns = np.ascontiguousarray(approved.T)
        for item in in_order:
            if columns[item].any():
                kinds.setdefault(columns[item].tobytes(), []).append(item)
        self.members = list(kinds.values())
        self.sizes = tuple(map(len, self.members))
        self.supporters = columns[[members[0] for members in self.members]]
        self.place = {item: place for place, item in enumerate(in_order)}
        self.chosen: list[int] = []
        self.at: list[float] = []
        self.ties: list[int] = []
        self.cuts: list[int] = []
        self.winners: tuple[int, ...] = ()
        self.lost_at: int | None = None
        self._taken_after_k: list[Taken] = []

    def run(self, k: int) -> None:
        """Choose until nothing approved is left; the first row of each layer is the course under the tie order."""
        taken = np.zeros((1, len(self.sizes)), dtype=np.int64)
        states = np.zeros((1, len(self.weights)))
        for step in range(1, sum(self.sizes) + 1):
            values = self.rule.values(states, self.weights, self.supporters)
            values = np.where(taken < self.sizes, values, -np.inf)
            best = values.max(axis=1, keepdims=True)
            tied: Bools = values >= best - TOLERANCE * np.abs(best)
            if step == 1:
                self.winners = tuple(sorted(item for kind in np.flatnonzero(tied[0]) for item in self.members[kind]))
            first = self._choose(taken[0], tied[0], values[0])
            rows, kinds = np.array([0]), np.array([first])
            if self.lost_at is None:
                also, those = np.nonzero(tied)
                rows, kinds = np.concatenate([rows, also]), np.concatenate([kinds, those])
            states = self.rule.after(states[rows], values[rows, kinds][:, None], self.supporters[kinds])
            taken = taken[rows]
            taken[np.arange(len(rows)), kinds] += 1
            if len(rows) > 1:
                different = _first_of_each(np.concatenate([taken, np.round(states, 9) + 0.0], axis=1))
                if len(different) > MOST_STATES:
                    self.lost_at, different = step, [0]
                taken, states = taken[different], states[different]
            if self.lost_at is None:
                self._note_layer(step, k, taken)
        if self.chosen and (not self.cuts or self.cuts[-1] != len(self.chosen)):
            self.cuts.append(len(self.chosen))

    def _choose(self, taken: Ints, tied: Bools, values: Floats) -> int:
        kinds = np.flatnonzero(tied).tolist()
        kind: int = min(kinds, key=lambda kind: self.place[self.members[kind][taken[kind]]])
        self.chosen.append(self.members[kind][taken[kind]])
        self.at.append(float(values[kind]))
        self.ties.append(int(sum(self.sizes[kind] - taken[kind] for kind in kinds)) - 1)
        return kind

    def _note_layer(self, step: int, k: int, taken: Ints) -> None:
        if (taken == taken[0]).all() and ((taken[0] == 0) | (taken[0] == self.sizes)).all():
            self.cuts.append(step)
        if step == min(k, sum(self.sizes)):
            self._taken_after_k = [tuple(row) for row in taken[_first_of_each(taken)].tolist()]

    def slates(self, k: int, rest: Sequence[int]) -> tuple[tuple[tuple[int, ...], ...], bool]:
        """All tied slates, each in item order, and whether these are all; unapproved items fill up in every way."""
        spare = max(0, k - sum(self.sizes))
        if not self._taken_after_k and self.sizes:
            return (tuple(sorted((*self.chosen, *rest)[:k])),), False
        states = self._taken_after_k or [()]
        count = sum(prod(map(comb, self.sizes, taken)) for taken in states) * comb(len(rest), spare)
        listed = islice((slate for taken in states for slate in self._expand(taken, sorted(rest), spare)), MOST_SLATES)
        return tuple(sorted(listed)), count <= MOST_SLATES

    def _expand(self, taken: Taken, rest: Sequence[int], spare: int) -> Iterator[tuple[int, ...]]:
        parts = [combinations(members, count) for members, count in zip(self.members, taken, strict=True)]
        for choice in product(*parts, combinations(rest, spare)):
            yield tuple(sorted(item for part in choice for item in part))


def _first_of_each(rows: NDArray[Any]) -> list[int]:
    """Index of the first occurrence of every different row, in order."""
    first: dict[bytes, int] = {}
    for index, row in enumerate(np.ascontiguousarray(rows)):
        first.setdefault(row.tobytes(), index)
    return list(first.values())
