"""Sequential Phragmen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost, Need
from simulator.mediators.families.electorate import Electorate
from simulator.mediators.families.sequential import SequentialMediator
from simulator.profile import Bools, Floats
from simulator.registry import register


@register("mediator", "seq_phragmen")
@dataclass(frozen=True)
class SeqPhragmen(SequentialMediator):
    """Every item costs 1, shared by its supporters; choose, again and again, the item that leaves the smallest load.

    With loads l_i, 0 at the start, item c would bring its supporters N_c to the load
    t_c = (1 + sum_{i in N_c} w_i l_i) / sum_{i in N_c} w_i. The item with the smallest t_c is chosen and l_i = t_c for
    its supporters. The order of choice is the ranking, its first k items the slate; items that nobody approves come
    last, tied. `slates` holds the outcome of every way to break ties, and items whose order depends on how ties are
    broken share a tier; bounds in `families.branches.Branches`. One profile at a time: `batch` loops.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.

    Sources: E. Phragmen, Sur une methode nouvelle pour realiser, dans les elections, la representation proportionnelle
    des partis, 1894; PJR: M. Brill, R. Freeman, S. Janson and M. Lackner, Phragmen's voting methods and justified
    representation, 2017.
    """

    name: ClassVar[str] = "seq_phragmen"
    needs: ClassVar[Need] = "approval"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "jr", "pjr")
    cost: ClassVar[Cost] = "quadratic"
    rule: ClassVar[str] = (
        "every item costs 1, shared by the ballots that approve it; choose in turn the item that leaves its supporters "
        "with the smallest load"
    )

    def worth(self, state: Floats, people: Electorate, open_kinds: Bools) -> Floats:
        """Minus the load t that each item would leave, `(s, c)`; -inf without supporters."""
        shared = (people.weights * state) @ people.approves + 1
        return people.unsupported - shared * people.per_support

    def after(self, state: Floats, worth: Floats, gives: Floats) -> Floats:
        """The supporters' load rises to t."""
        return np.where(gives > 0, -worth, state)

    def shown(self, worth: float, scale: float) -> float:
        """The load t."""
        return -worth / scale
