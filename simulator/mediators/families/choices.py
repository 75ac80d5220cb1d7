"""Choosing one item after another by several criteria, where each choice changes what the ballots hold.

The choices under the tie order are what is delivered. All others that ties allow are followed beside them, as rows of
the same arrays, so that slates, winners and tiers say what some way to break ties can give.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from simulator.mediators.families.electorate import distinct_rows
from simulator.mediators.families.tied import listed
from simulator.outcome import TOLERANCE
from simulator.profile import Bools, Floats, Ints

MOST_COURSES = 2000
MOST_CELLS = 1_000_000
MOST_COURSES_BEYOND = 200

State = dict[str, Floats]


class Chooser(Protocol):
    """How a rule chooses the next item from what every ballot holds."""

    def criteria(self, state: State, columns: Floats, weights: Floats) -> Sequence[Floats] | Floats:
        """What the rule looks at, first things first: arrays `(..., m)`, larger is better; later ones decide ties.

        Args:
            state: named arrays `(..., n)`.
            columns: `(..., n, m)` what the ballots say about the items: approvals as 0 and 1, or utilities.
            weights: `(..., n)`, all positive.
        """

    def after(self, state: State, gains: Floats, weights: Floats) -> State:
        """The state once items are chosen of which the ballots say `gains` `(..., n)`."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The items chosen in turn.

    Attributes:
        chosen: items as indices, in order of choice under the tie order.
        values: the first criterion of each choice.
        ties: how many other items each choice was tied with.
        cuts: places in the order up to which every way to break ties has chosen the same items.
        winners: all items that can be chosen first.
        slates: what some way to break ties has chosen after k choices, each in item order.
        complete: whether these are all.
        lost_at: the choice from which on not every way was followed, because there were too many.
        state: arrays `(n,)` after k choices under the tie order.
    """

    chosen: tuple[int, ...]
    values: tuple[float, ...]
    ties: tuple[int, ...]
    cuts: tuple[int, ...]
    winners: tuple[int, ...]
    slates: tuple[tuple[int, ...], ...]
    complete: bool
    lost_at: int | None
    state: State


def tied_best(criteria: Sequence[Floats] | Floats, eligible: Bools) -> Bools:
    """The eligible items that no other eligible item beats, `(..., m)`: the first criterion decides, then the next, ...

    Values that are equal up to rounding are equal.
    """
    tied = eligible
    for values in criteria:
        top = np.where(tied, values, -np.inf).max(axis=-1, keepdims=True)
        tied = tied & (values >= top - TOLERANCE * np.abs(top))
    return tied


def choose(
    rule: Chooser, state: State, columns: Floats, eligible: Bools, weights: Floats, in_order: Sequence[int], k: int
) -> Choices:
    """Choose all eligible items one by one.

    Items of which all ballots say the same are interchangeable, so what is followed is how many of each kind are taken.
    Up to the slate's size at most `MOST_COURSES` ways and `MOST_CELLS` numbers in all are followed, beyond it, where
    only the ranking's ties are at stake, `MOST_COURSES_BEYOND` ways.

    Args:
        rule: decides what is chosen next.
        state: arrays `(n,)` at the start.
        columns: `(n, m)` what the ballots say.
        eligible: `(m,)` items that are chosen at all; the others stand after them and fill slates in every way.
        weights: `(n,)`, all positive.
        in_order: the tie order.
        k: the slates' size.
    """
    kinds, rest = _kinds(columns, eligible, in_order)
    place = {item: where for where, item in enumerate(in_order)}
    sizes = np.array([len(members) for members in kinds], dtype=np.int64)
    said = columns[:, [members[0] for members in kinds]]
    taken = np.zeros((1, len(kinds)), dtype=np.int64)
    held = {name: values[None] for name, values in state.items()}
    chosen: list[int] = []
    values: list[float] = []
    ties: list[int] = []
    cuts: list[int] = []
    winners = tuple(range(columns.shape[1]))
    ends, after_k, lost_at = taken, state, None
    for step in range(1, int(sizes.sum()) + 1):
        criteria = rule.criteria(held, said[None], weights)
        tied = tied_best(criteria, taken < sizes)
        level = np.flatnonzero(tied[0]).tolist()
        if step == 1:
            winners = tuple(sorted(item for kind in level for item in kinds[kind]))
        first = level[int(np.argmin([place[kinds[kind][taken[0, kind]]] for kind in level]))]
        chosen.append(kinds[first][taken[0, first]])
        values.append(float(criteria[0][0, first]))
        ties.append(int((sizes - taken[0])[level].sum()) - 1)
        rows, picks = np.array([0]), np.array([first])
        if lost_at is None:
            also, those = np.nonzero(tied)
            rows, picks = np.concatenate([rows, also]), np.concatenate([picks, those])
        held = rule.after({name: part[rows] for name, part in held.items()}, said.T[picks], weights)
        taken = taken[rows]
        taken[np.arange(len(rows)), picks] += 1
        if len(rows) > 1:
            different = _different(taken, held)
            most = min(MOST_COURSES, MOST_CELLS // max(1, said.size) + 1) if step <= k else MOST_COURSES_BEYOND
            if len(different) > most:
                lost_at, different = step, different[:1]
            taken, held = taken[different], {name: part[different] for name, part in held.items()}
        if step <= k:
            ends, after_k = taken, {name: part[0] for name, part in held.items()}
        if lost_at is None and (taken == taken[0]).all() and ((taken[0] == 0) | (taken[0] == sizes)).all():
            cuts.append(step)
    if chosen and (not cuts or cuts[-1] != len(chosen)):
        cuts.append(len(chosen))
    delivered = [*chosen, *rest][:k]
    if lost_at is not None and lost_at <= k:
        each, all_followed = [], False  # too many ways: the delivered slate alone
    else:
        each = [([*row, max(0, k - len(chosen))], 0) for row in ends[distinct_rows(ends)[0]].tolist()]
        all_followed = True
    slates, all_listed = listed([*kinds, rest], each, delivered)
    return Choices(
        tuple(chosen),
        tuple(values),
        tuple(ties),
        tuple(cuts),
        winners,
        slates,
        all_listed and all_followed,
        lost_at,
        after_k,
    )


def _kinds(columns: Floats, eligible: Bools, in_order: Sequence[int]) -> tuple[list[list[int]], list[int]]:
    """The eligible items by what the ballots say about them, and the others, all in tie order."""
    _, group = distinct_rows(np.ascontiguousarray(columns.T))
    found: dict[int, list[int]] = {}
    rest = []
    for item in in_order:
        if eligible[item]:
            found.setdefault(int(group[item]), []).append(item)
        else:
            rest.append(item)
    return list(found.values()), rest


def _different(taken: Ints, held: State) -> Ints:
    """Where every different course first stands: other items taken, or ballots left with something else."""
    parts = [taken.astype(np.float64), *(np.round(part, 9) + 0.0 for part in held.values())]
    return distinct_rows(np.concatenate(parts, axis=1))[0]
