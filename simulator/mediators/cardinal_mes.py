"""The method of equal shares on utilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost, Need
from simulator.mediators.conversions import Notes, nonnegative_utilities
from simulator.mediators.families.electorate import Electorate
from simulator.mediators.families.equal_shares import EqualShares
from simulator.outcome import Outcome
from simulator.profile import Floats, Profile
from simulator.registry import register

MOST_CELLS = 1_000_000


@register("mediator", "cardinal_mes")
@dataclass(frozen=True)
class CardinalEqualShares(EqualShares):
    """As `mes`, but supporters pay in proportion to their utility of the item.

    Each unit of weight holds b_i = k / n at the start. Item c costs 1; ballots pay q u_i(c) each, as far as they have
    it, with the smallest q at which sum_i w_i min(b_i, q u_i(c)) = 1. Buy, again and again, the item with the smallest
    q, until nothing can be paid for; then `completion` goes on:

    - `phragmen`: by sequential Phragmen with the loads l_i = -b_i, all ballots with u_i(c) > 0 being supporters;
    - `utilitarian`: by sum_i w_i u_i(c);
    - `none`: not at all. `slates` then holds what was bought; the delivered slate is filled up in the tie order.

    The scale of a ballot's utilities does not matter to what it can pay but to what it is asked for. Ballots without
    utilities are read as u = (m - average position) / (m - 1). Abstentions hold no share. Ties and bounds as in `mes`.
    One profile at a time: `batch` loops.

    Attributes:
        completion: phragmen, utilitarian, none.

    Raises:
        ValueError: a utility is negative.

    Source: D. Peters, G. Pierczynski and P. Skowron, Proportional participatory budgeting with additive utilities,
    2021.
    """

    name: ClassVar[str] = "cardinal_mes"
    needs: ClassVar[Need] = "utility"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral")
    cost: ClassVar[Cost] = "quadratic"
    rule: ClassVar[str] = (
        "every item costs 1 and every ballot holds an equal share of k; buy in turn the item that its supporters can "
        "pay for at the smallest price of a utility of 1"
    )

    def read(self, profile: Profile, k: int) -> tuple[Floats, Notes]:
        """The ballots' utilities, `(n, m)`."""
        return nonnegative_utilities(profile, self.name)

    def paid(self, budgets: Floats, q: Floats, people: Electorate) -> tuple[Floats, Floats]:
        """What supporters pay at the q `(s, 1)`, and weight x utility of those with money left, `(s, c)`."""
        found = []
        block = max(1, MOST_CELLS // max(1, people.columns.size))
        for start in range(0, len(q), block):
            held, price = budgets[start : start + block, None], q[start : start + block, :, None]
            with np.errstate(over="ignore"):  # an infinite price is more than anybody has, too
                asked = price * people.columns
            paid, able = np.minimum(asked, held), np.where(asked < held, people.columns, 0.0)
            found.append((paid @ people.weights, able @ people.weights))
        money, slope = map(np.concatenate, zip(*found, strict=True))
        return money, slope

    def first_place_points(self, profile: Profile, outcome: Outcome) -> Floats | None:
        """None: who is out of money matters from the first choice on."""
        return None
