"""The method of equal shares, on approvals or on utilities: who can pay for what, and what is bought next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from simulator.mediators.families.course import Stepwise
from simulator.mediators.families.electorate import Electorate
from simulator.mediators.families.sequential import SequentialMediator
from simulator.mediators.seq_phragmen import SeqPhragmen
from simulator.outcome import TOLERANCE
from simulator.profile import Bools, Floats

CLOSE = 1e-12  # relative; how exactly the smallest q is worked out
DEAREST = 1e300  # no q is larger


@dataclass(frozen=True)
class EqualShares(SequentialMediator):
    """Buys items with equal shares of the budget k, then goes on by `completion`. A state holds minus the budgets.

    Attributes:
        completion: what chooses where nothing can be bought: phragmen, utilitarian, none.
    """

    completion: Literal["phragmen", "utilitarian", "none"] = "phragmen"

    @property
    def fills(self) -> bool:
        """A slate that nothing completes has what was bought, no more."""
        return self.completion != "none"

    def phases(self) -> tuple[Stepwise, ...]:
        """Buying, then completion: sequential Phragmen takes what is left of a budget as a load below 0."""
        match self.completion:
            case "phragmen":
                return self, SeqPhragmen()
            case "utilitarian":
                return self, _ByWeight()
        return (self,)

    def start(self, people: Electorate, k: int) -> Floats:
        """Each unit of weight holds k / n."""
        return np.full(len(people.weights), -k / people.weights.sum() if len(people.weights) else 0.0)

    def worth(self, state: Floats, people: Electorate, open_kinds: Bools) -> Floats:
        """Minus the smallest q, `(s, c)`; -inf where supporters cannot pay. Of larger ones, a lower bound.

        What supporters pay grows with q, and is concave in it: steps along its slope come to the smallest q from below,
        from one budget to a higher one at least, for all items at once.
        """
        budgets = np.atleast_2d(-state)
        payable = ((people.weights * budgets) @ people.approves >= 1 - TOLERANCE) & open_kinds
        slope = np.where(payable, self.paid(budgets, np.zeros((len(budgets), 1)), people)[1], 1.0)
        bound = np.where(payable, np.minimum(1 / np.maximum(slope, 1 / DEAREST), DEAREST), np.inf)
        rows = np.flatnonzero(payable.any(axis=1))
        while len(rows):
            q = bound[rows].min(axis=1, keepdims=True)
            money, slope = self.paid(budgets[rows], q, people)
            more = np.maximum(1 - money, 0.0) / np.maximum(slope, 1 / DEAREST)
            more[(slope == 0) & (money >= 1 - TOLERANCE)] = 0.0
            bound[rows] = np.where(payable[rows], np.minimum(q + more, DEAREST), np.inf)
            rows = rows[bound[rows].min(axis=1) > q[:, 0] * (1 + CLOSE)]
        return -bound.reshape(open_kinds.shape)

    def paid(self, budgets: Floats, q: Floats, people: Electorate) -> tuple[Floats, Floats]:
        """What the supporters of each kind pay at the q `(s, 1)`, and the weight of those with money left, `(s, c)`."""
        money, able = people.weights * np.minimum(budgets, q), people.weights * (budgets > q)
        return money @ people.approves, able @ people.approves

    def after(self, state: Floats, worth: Floats, gives: Floats) -> Floats:
        """Every supporter pays q u, or what it has left."""
        return np.minimum(state - worth * gives, 0.0)

    def shown(self, worth: float, scale: float) -> float:
        """What a supporter pays for a utility of 1, per unit of its weight."""
        return -worth / scale

    def said(self, phase: int) -> str:
        """How an item was chosen that could not be bought."""
        return f"by {self.completion} completion" if phase else ""


class _ByWeight(Stepwise):
    """The greatest weighted sum of what the ballots give."""

    def worth(self, state: Floats, people: Electorate, open_kinds: Bools) -> Floats:
        return np.broadcast_to(people.weights @ people.values + people.unsupported, open_kinds.shape)

    def after(self, state: Floats, worth: Floats, gives: Floats) -> Floats:
        return state
