"""Sequential Chamberlin-Courant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost, Need
from simulator.mediators.families.electorate import Electorate
from simulator.mediators.families.sequential import SequentialMediator
from simulator.profile import Bools, Floats
from simulator.registry import register


@register("mediator", "seq_cc")
@dataclass(frozen=True)
class SeqCC(SequentialMediator):
    """Choose, again and again, the item that most weight approves among the ballots that have got nothing so far.

    The order of choice is the ranking, its first k items the slate. Once every ballot that approves anything has an
    item, all other items are tied, and fill up a slate in every way. Represents at least 1 - 1/e of the weight that
    `cc` represents. `slates` holds the outcome of every way to break ties, and items whose order depends on how ties
    are broken share a tier; bounds in `families.branches.Branches`. One profile at a time: `batch` loops.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.

    Sources: T. Lu and C. Boutilier, Budgeted social choice, 2011; JR (as greedy approval voting): H. Aziz et al.,
    Justified representation in approval-based committee voting, 2017.
    """

    name: ClassVar[str] = "seq_cc"
    needs: ClassVar[Need] = "approval"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "jr")
    cost: ClassVar[Cost] = "quadratic"
    order_free: ClassVar[bool] = True
    rule: ClassVar[str] = "choose in turn the item that most weight approves among the ballots without any item so far"

    def worth(self, state: Floats, people: Electorate, open_kinds: Bools) -> Floats:
        """Weight of the supporters without an item, `(s, c)`; -inf without any."""
        worth = (people.weights * (state == 0)) @ people.values
        return np.where(worth > 0, worth, -np.inf)

    def after(self, state: Floats, worth: Floats, gives: Floats) -> Floats:
        """One more approved item for every supporter."""
        return state + gives
