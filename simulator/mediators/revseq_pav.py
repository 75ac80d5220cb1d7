"""Reverse sequential proportional approval voting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost, Need
from simulator.mediators.families.electorate import Electorate
from simulator.mediators.families.sequential import SequentialMediator
from simulator.outcome import Outcome
from simulator.profile import Bools, Floats, Profile
from simulator.registry import register


@register("mediator", "revseq_pav")
@dataclass(frozen=True)
class RevSeqPav(SequentialMediator):
    """From all items, take away, again and again, the one with the smallest sum of w_i / s_i over its supporters.

    s_i is the number of items left that ballot i approves: the sum is what the score of `pav` loses. The ranking is the
    reverse order of removal, the slate what is left when k items are. `slates` holds the outcome of every way to break
    ties, and items whose order depends on how ties are broken share a tier; bounds in `families.branches.Branches`. One
    profile at a time: `batch` loops.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.

    Sources: T. N. Thiele, Om flerfoldsvalg, 1895; M. Lackner and P. Skowron, Multi-winner voting with approval
    preferences, 2023, chapter 2.
    """

    name: ClassVar[str] = "revseq_pav"
    needs: ClassVar[Need] = "approval"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral")
    cost: ClassVar[Cost] = "quadratic"
    order_free: ClassVar[bool] = True
    removes: ClassVar[bool] = True
    rule: ClassVar[str] = (
        "of all items, take away in turn the one with the smallest sum, over the ballots that approve it, of "
        "weight / (number of items left that the ballot approves)"
    )

    def start(self, people: Electorate, k: int) -> Floats:
        """How many items each ballot approves."""
        return people.values @ people.sizes

    def worth(self, state: Floats, people: Electorate, open_kinds: Bools) -> Floats:
        """Minus the sum of w / s over supporters, `(s, c)`."""
        return (people.weights / np.maximum(state, 1)) @ -people.values

    def after(self, state: Floats, worth: Floats, gives: Floats) -> Floats:
        """One approved item less for every supporter."""
        return state - gives

    def shown(self, worth: float, scale: float) -> float:
        """What the score of the slate loses."""
        return -worth * scale

    def first_place_points(self, profile: Profile, outcome: Outcome) -> Floats | None:
        """None: what is left at the end does not follow from one sum."""
        return None
