"""Electing items from ballots that approve more and more of them, with every course that ties allow.

Bounds as in `simulator.mediators.families.elimination`, but at most `MOST_STATES` states of the count are followed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulator.mediators.families.agreement import Agreement
from simulator.mediators.families.elimination import most_states
from simulator.mediators.families.first_choices import CastBallots
from simulator.mediators.families.places import best_places
from simulator.outcome import TOLERANCE
from simulator.profile import Bools, Floats, Ints

MOST_STATES = 2_000


@dataclass(frozen=True, slots=True)
class _State:
    """What is elected `(m,)`, what every ballot still weighs `(n,)`, and how deep it approves."""

    elected: Bools
    weights: Floats
    depth: int

    def key(self, total: float) -> tuple[bytes, bytes, int]:
        """The same for states that have come to the same, up to rounding."""
        weights = np.round(self.weights / total, 12) if total else self.weights
        return self.elected.tobytes(), weights.tobytes(), self.depth


class Expansion:
    """Elects until all seats are taken.

    Args:
        ballots: the ballots.
        agreement: learns what courses come to.
        seats: number of items to elect.
        quota: support at which an item is elected.

    Attributes:
        events: the elections under the tie order: (item, support, depth, how many others were as good).
        order: the ranking under the tie order.
        lost_at: the seat for which there were more courses than are followed; None if all were followed.
        swaps: from there on, items that other courses put in another order, as far as they were seen.
    """

    def __init__(self, ballots: CastBallots, agreement: Agreement, seats: int, quota: float) -> None:
        self.ballots, self.agreement, self.seats, self.quota = ballots, agreement, seats, quota
        self.events: list[tuple[int, float, int, int]] = []
        self.order: tuple[int, ...] = ()
        self.lost_at: int | None = None
        self.swaps: list[list[int]] = []
        self._slack = TOLERANCE * ballots.total
        self._places = best_places(ballots.ranks)
        m = agreement.m
        self._cells = (np.arange(m) * (m + 1) + self._places).ravel()
        places = self._by_place(ballots.weights)
        if ballots.total:
            places = np.round(places / ballots.total, 9)
        classes = np.unique(places, axis=0, return_inverse=True)[1].reshape(m)
        self._better: Ints = classes.max() - classes  # smaller is more rank-maximal

    def _by_place(self, weights: Floats) -> Floats:
        """The weight `(m, m + 1)` that puts each item in each place, from place 0, which does not exist."""
        m = self.agreement.m
        votes: Floats = np.bincount(self._cells, np.repeat(weights, m), minlength=m * (m + 1)).astype(np.float64)
        return votes.reshape(m, m + 1)

    def run(self) -> None:
        """Elect in every way that ties allow; the first state of each layer is that under the tie order."""
        states = [_State(np.zeros(self.agreement.m, dtype=np.bool_), self.ballots.weights, 1)]
        visited, most = 0, min(MOST_STATES, most_states(self.ballots))
        for seat in range(1, self.seats + 1):
            found: dict[tuple[bytes, bytes, int], _State] = {}
            for turn, state in enumerate(states):
                for after in self._elect(state, turn == 0):
                    found.setdefault(after.key(self.ballots.total), after)
            states = list(found.values())
            self.agreement.note(np.stack([state.elected for state in states]))
            visited += len(states)
            if self.lost_at is not None or (len(states) > 1 and visited > most):
                if self.lost_at is None:
                    self.lost_at = seat
                    apart = [state.elected ^ states[0].elected for state in states[1:]]
                    self.swaps += [np.flatnonzero(items).tolist() for items in apart if items.any()]
                states = states[:1]
        for elected in dict.fromkeys(state.elected.tobytes() for state in states):
            self._settle(np.frombuffer(elected, dtype=np.bool_).copy())

    def _elect(self, state: _State, under_tie_order: bool) -> list[_State]:
        """The states after one more election; the first one elects the first item in the tie order."""
        support = self._by_place(state.weights).cumsum(axis=1)
        enough = (support >= self.quota - self._slack) & ~state.elected[:, None]
        enough[:, : state.depth] = False
        depth = int(enough.any(axis=0).argmax())
        able = enough[:, depth]
        tied = able & (self._better == self._better[able].min())
        items = np.flatnonzero(self.agreement.firsts(tied[None])[0])
        items = items[np.argsort(self.agreement.place[items])]
        if under_tie_order:
            first, ties = int(items[0]), int(tied.sum()) - 1
            self.events.append((first, float(support[first, depth]), depth, ties))
            if self.lost_at is not None:
                self.swaps.append(np.flatnonzero(tied).tolist())
        return [self._after(state, int(item), float(support[item, depth]), depth) for item in items]

    def _after(self, state: _State, item: int, support: float, depth: int) -> _State:
        elected = state.elected.copy()
        elected[item] = True
        kept = max(0.0, support - self.quota) / support if support > 0 else 0.0
        weights = np.where(self._places[:, item] <= depth, state.weights * kept, state.weights)
        return _State(elected, weights, depth)

    def _settle(self, elected: Bools) -> None:
        """All other items follow in rank-maximal order."""
        if not self.order:
            rest = np.flatnonzero(~elected)
            rest = rest[np.lexsort((self.agreement.place[rest], self._better[rest]))]
            self.order = (*(item for item, *_ in self.events), *rest.tolist())
        for better in np.unique(self._better[~elected]):
            pool = ~elected & (self._better == better)
            self.agreement.note_pool(elected, pool)
            elected = elected | pool
