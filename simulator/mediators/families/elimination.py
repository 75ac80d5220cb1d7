"""Rules that take away one item after another: the ranking is the reverse order of elimination.

Every course that ties allow is followed, as rows of the same arrays: a row is a set of items that are left, and courses
that come to the same set go on as one. At most `MOST_STATES` sets are followed in all, fewer where there are many
ballots and items (`MOST_CELLS` of both together); where there are more, the course under the tie order goes on alone,
ties on its way are still told, and the outcome says that it is not complete.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from simulator.mediators.base import Mediator
from simulator.mediators.families.agreement import Agreement, kinds_of
from simulator.mediators.families.first_choices import CastBallots, cast_ballots
from simulator.outcome import TOLERANCE, Memory, Outcome, Step, Trace, tiers_of
from simulator.profile import Bools, Floats, Ints, Profile

MOST_STATES = 10_000
MOST_CELLS = 250_000
FEWEST_STATES = 200


class Tally(ABC):
    """What decides who goes next, one row for every set of items that are left."""

    @property
    @abstractmethod
    def left(self) -> Bools:
        """The items that are left, `(s, m)`."""

    @property
    @abstractmethod
    def totals(self) -> Floats:
        """The number that each item is judged by, `(s, m)`; any number for items that are gone."""

    @property
    def standing(self) -> Floats:
        """The same so that the lowest goes, `(s, m)`; infinite for an item that cannot go."""
        return self.totals

    @abstractmethod
    def take(self, rows: Ints) -> Self:
        """Some of the rows."""

    @abstractmethod
    def without(self, items: Ints) -> Self:
        """The tally after one item `(s,)` is gone in every row."""


@dataclass
class Eliminations:
    """The course of elimination under the tie order.

    Attributes:
        gone: items in the order in which they go; the last one is the item that is left.
        totals: the number that each was judged by; of the last one, in the last count with another item.
        ties: how many other items were judged the same.
        lost_at: how many items were left when there were more courses than are followed; None if all were followed.
        swaps: from there on, items that other courses put in another order, as far as they were seen.
    """

    gone: list[int] = field(default_factory=list)
    totals: list[float] = field(default_factory=list)
    ties: list[int] = field(default_factory=list)
    lost_at: int | None = None
    swaps: list[list[int]] = field(default_factory=list)


def eliminate(tally: Tally, agreement: Agreement, slack: float, most: int) -> Eliminations:
    """Eliminate until one item is left; row 0 is the course under the tie order, in which the last of tied items goes.

    Args:
        tally: one row, the first count.
        agreement: learns the sets that courses come to.
        slack: numbers that differ by less are the same.
        most: how many sets are followed.
    """
    course = Eliminations()
    size = int(tally.left[0].sum())
    visited = 0
    while size > 1:
        standing = np.where(tally.left, tally.standing, np.inf)
        tied: Bools = standing <= standing.min(axis=1, keepdims=True) + slack
        goes = int(np.where(tied[0], agreement.place, -1).argmax())
        course.gone.append(goes)
        course.totals.append(float(tally.totals[0, goes]))
        course.ties.append(int(tied[0].sum()) - 1)

        rows, items = np.nonzero(agreement.lasts(tied))
        under_tie_order = int(np.flatnonzero((rows == 0) & (items == goes))[0])
        left = tally.left[rows]
        left[np.arange(len(rows)), items] = False
        different = _different(left, under_tie_order)
        agreement.note(left[different])
        size -= 1
        if course.lost_at is not None:
            course.swaps.append(np.flatnonzero(tied[0]).tolist())
            different = different[:1]
        elif len(different) > 1 and visited + len(different) > most:
            course.lost_at = size + 1
            course.swaps += [np.flatnonzero(row).tolist() for row in left[different[1:]] ^ left[under_tie_order]]
            different = different[:1]
        visited += len(different)
        if size == 1:
            last = int(np.flatnonzero(left[under_tie_order])[0])
            course.gone.append(last)
            course.totals.append(float(tally.totals[0, last]))
            course.ties.append(0)
        else:
            tally = tally.take(rows[different]).without(items[different])
    if not course.gone:
        course.gone, course.totals, course.ties = (
            np.flatnonzero(tally.left[0]).tolist(),
            [float(tally.totals.max())],
            [0],
        )
    return course


def _different(left: Bools, first: int) -> Ints:
    """The first row of every set of items, beginning with the row `first`."""
    if len(left) == 1:
        return np.zeros(1, dtype=np.int64)
    found: dict[bytes, int] = {}
    packed = np.packbits(left, axis=1)
    found[packed[first].tobytes()] = first
    for row, key in enumerate(packed):
        found.setdefault(key.tobytes(), row)
    return np.fromiter(found.values(), dtype=np.int64)


class EliminationMediator(Mediator):
    """A rule that eliminates the item that does worst in a count of those that are left, again and again.

    `tiers` is the reverse order of elimination; items that go in different order under different tie-breaking share a
    tier. `winners` and `slates` hold what some tie-breaking gives. A batch is taken one profile after another.
    """

    @abstractmethod
    def first_count(self, ballots: CastBallots) -> Tally:
        """The tally of all items, one row."""

    def hopeless(self, tally: Tally) -> Bools:
        """Items `(m,)` that go before all others in every order, and change nothing when they go; none by default."""
        return np.zeros(tally.left.shape[1], dtype=np.bool_)

    def told(self) -> str:
        """The rule in one sentence, with its parameters."""
        return self.rule

    def most_in_total(self, ballots: CastBallots) -> float:
        """The largest total that an item can have: numbers that differ by a tiny part of it are the same."""
        return ballots.total

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Count and eliminate until one item is left."""
        in_order = list(range(profile.m) if priority is None else priority)
        ballots = cast_ballots(profile)
        agreement = Agreement(kinds_of(ballots.ranks), in_order)
        tally = self.first_count(ballots)
        hopeless = self.hopeless(tally)
        bottom = [item for item in in_order if hopeless[item]]
        for item in bottom:
            tally = tally.without(np.array([item]))
        if bottom:
            agreement.note_pool(~hopeless, hopeless)
        course = eliminate(tally, agreement, TOLERANCE * self.most_in_total(ballots), most_states(ballots))

        order = (*reversed(course.gone), *bottom)
        agreement.note_swaps(order, course.swaps)
        slates, listed = agreement.slates(k, order[:k])
        steps = [Step(profile.items[item], 0.0, _tied(len(bottom) - 1), "eliminated") for item in reversed(bottom)]
        for item, total, ties in zip(course.gone, course.totals, course.ties, strict=True):
            act = "eliminated" if item != order[0] else "left"
            steps.append(Step(profile.items[item], total, _tied(ties), act))
        return Outcome(
            mediator=self.label,
            items=profile.items,
            k=k,
            order=order,
            tier_indices=tiers_of(agreement.ranks(order), order),
            slate_indices=order[:k],
            score_values=None,
            trace=Trace(self.told(), steps=tuple(steps)),
            tied_slates=slates,
            tied_winners=agreement.winners(order[0]),
            complete=listed and course.lost_at is None,
            notes=() if course.lost_at is None else (lost_note(course.lost_at),),
        )


def most_states(ballots: CastBallots) -> int:
    """How many states of a count are followed."""
    return max(FEWEST_STATES, min(MOST_STATES, MOST_CELLS // sum(ballots.ranks.shape)))


def lost_note(left: int) -> str:
    """Says from where on not every course was followed."""
    return f"From {left} items on there are more ways to break ties than were followed."


def _tied(ties: int) -> str:
    return f"tied with {ties} more" if ties else ""
