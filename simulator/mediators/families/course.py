"""One course of choice: items one by one, ties broken by the tie order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from simulator.mediators.families.electorate import Electorate
from simulator.outcome import TOLERANCE
from simulator.profile import Bools, Floats


class Stepwise(ABC):
    """How the next item is chosen from what each ballot has got so far, for s courses of choice at once.

    What the ballots have got is a state `(s, n)`, or `(n,)` for a single course.
    """

    def start(self, people: Electorate, k: int) -> Floats:
        """The state `(n,)` before the first choice: nothing."""
        return np.zeros(len(people.weights))

    @abstractmethod
    def worth(self, state: Floats, people: Electorate, open_kinds: Bools) -> Floats:
        """Worth `(s, c)` of choosing an item of each kind next, larger is better; -inf = not to be chosen.

        Args:
            state: what each ballot has got so far.
            people: the ballots, and the kinds of items that they tell apart.
            open_kinds: `(s, c)` which kinds have an item left; it does not matter what the others are worth.
        """

    @abstractmethod
    def after(self, state: Floats, worth: Floats, gives: Floats) -> Floats:
        """The state after the choice of items worth `worth` `(s, 1)` that give `gives` `(s, n)` to the ballots."""

    def shown(self, worth: float, scale: float) -> float:
        """The worth as the rule's paper states it; `scale` is the weight that counts as 1 in the electorate."""
        return worth * scale


class Course:
    """One course of choice, step by step.

    Attributes:
        kinds: the kind of every item chosen so far.
        worth: its worth.
        ties: how many other items were worth the same.
        phases: the phase of the rule that chose it.
        forks: the state before each choice between several kinds, by the number of choices made before.
        first: the kinds that could have come first.
        ended: whether nothing is left that is worth choosing.
    """

    def __init__(
        self,
        phases: Sequence[Stepwise],
        people: Electorate,
        members: Sequence[Sequence[int]],
        place: Sequence[int],
        k: int,
    ) -> None:
        """Start a course.

        Args:
            phases: what is chosen by; where one finds nothing worth choosing, the next one goes on from its state.
            people: the ballots, and the kinds of items.
            members: the items of every kind in the order in which they are taken.
            place: `(m,)` place of every item in the tie order; of tied items, the one with the smallest is taken.
            k: the slate's size.
        """
        self.kinds: list[int] = []
        self.worth: list[float] = []
        self.ties: list[int] = []
        self.phases: list[int] = []
        self.forks: dict[int, Floats] = {}
        self.first: list[int] = []
        self.ended = not members
        self._rules, self._members, self._place = phases, members, place
        self._left = [len(items) for items in members]
        self._state = phases[0].start(people, k)
        self._phase = 0
        # Used up kinds are closed, and left out of the arrays once they are half of them.
        self._people, self._shown = people, np.arange(len(members))
        self._open, self._closed, self._gone = np.ones(len(members), dtype=np.bool_), np.zeros(len(members)), 0

    def go(self, until: int) -> None:
        """Choose until so many items are chosen, or none is worth choosing."""
        left = self._left
        while len(self.kinds) < until and not self.ended:
            rule = self._rules[self._phase]
            worth = rule.worth(self._state, self._people, self._open) + self._closed
            spot = int(worth.argmax())
            best = float(worth[spot])
            if best == -np.inf:
                self._phase += 1
                self.ended = self._phase == len(self._rules)
                continue
            tied = worth >= best - TOLERANCE * abs(best)
            kinds = [int(self._shown[spot])]
            if np.count_nonzero(tied) > 1:
                kinds, spot = self._break(tied)
                best = float(worth[spot])
            if not self.kinds:
                self.first = kinds
            kind = int(self._shown[spot])
            self.kinds.append(kind)
            self.worth.append(best)
            self.ties.append(sum([left[kind] for kind in kinds]) - 1)
            self.phases.append(self._phase)
            self._state = rule.after(self._state, worth[spot : spot + 1], self._people.columns[spot])
            left[kind] -= 1
            if not left[kind]:
                self._close(spot)

    def _break(self, tied: Bools) -> tuple[list[int], int]:
        """The tied kinds, and the spot of the one whose next item stands first in the tie order."""
        self.forks[len(self.kinds)] = self._state
        spots = np.flatnonzero(tied).tolist()
        kinds = self._shown[tied].tolist()
        next_places = [self._place[self._members[kind][-self._left[kind]]] for kind in kinds]
        return kinds, spots[next_places.index(min(next_places))]

    def _close(self, spot: int) -> None:
        self._closed[spot], self._open[spot] = -np.inf, False
        self._gone += 1
        self.ended = self._gone == len(self._shown)
        if 16 < len(self._shown) <= 2 * self._gone:
            self._people, self._shown = self._people.only(self._open), self._shown[self._open]
            self._open, self._closed, self._gone = self._open[self._open], np.zeros(len(self._shown)), 0
