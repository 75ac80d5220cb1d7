"""Sequential proportional approval voting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from simulator.mediators.base import Cost, Need
from simulator.mediators.families.electorate import Electorate
from simulator.mediators.families.sequential import SequentialMediator
from simulator.profile import Bools, Floats
from simulator.registry import register


@register("mediator", "seq_pav")
@dataclass(frozen=True)
class SeqPav(SequentialMediator):
    """Choose, again and again, the item with the greatest sum of w_i / (1 + s_i) over the ballots that approve it.

    s_i is the number of items chosen so far that ballot i approves. The order of choice is the ranking, its first k
    items the slate; items that nobody approves come last, tied. `slates` holds the outcome of every way to break ties,
    and items whose order depends on how ties are broken share a tier; bounds in `families.branches.Branches`. One
    profile at a time: `batch` loops.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.

    Sources: T. N. Thiele, Om flerfoldsvalg, 1895; as a ranking: P. Skowron, M. Lackner, M. Brill, D. Peters and
    E. Elkind, Proportional rankings, 2017.
    """

    name: ClassVar[str] = "seq_pav"
    needs: ClassVar[Need] = "approval"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone")
    cost: ClassVar[Cost] = "quadratic"
    order_free: ClassVar[bool] = True
    rule: ClassVar[str] = (
        "choose in turn the item with the greatest sum, over the ballots that approve it, of "
        "weight / (1 + number of items the ballot has got so far)"
    )

    def worth(self, state: Floats, people: Electorate, open_kinds: Bools) -> Floats:
        """Sum of w / (1 + s) over supporters, `(s, c)`; -inf without any."""
        return (people.weights / (1 + state)) @ people.values + people.unsupported

    def after(self, state: Floats, worth: Floats, gives: Floats) -> Floats:
        """One more approved item for every supporter."""
        return state + gives
