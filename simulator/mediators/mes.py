"""The method of equal shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from simulator.mediators.base import Cost, Need
from simulator.mediators.families.equal_shares import EqualShares
from simulator.outcome import Outcome
from simulator.profile import Floats, Profile
from simulator.registry import register


@register("mediator", "mes")
@dataclass(frozen=True)
class MethodOfEqualShares(EqualShares):
    """Every ballot has an equal share of k to spend, and items, which cost 1, are bought where supporters can pay.

    Each unit of weight holds b_i = k / n at the start, n being the sum of weights. Supporters of item c pay q each, as
    far as they have it, with the smallest q at which sum_{i in N_c} w_i min(b_i, q) = 1. Buy, again and again, the item
    with the smallest q, its supporters' b_i falling by what they pay, until nothing can be paid for. What was bought
    may be fewer than k items; then `completion` goes on:

    - `phragmen`: by sequential Phragmen with the loads l_i = -b_i;
    - `utilitarian`: by the weight of approvals;
    - `none`: not at all. `slates` then holds what was bought; the delivered slate is filled up in the tie order.

    The ranking is the order of purchase, then that of completion to its end, then all other items, tied. It holds for
    this k alone: another k gives other shares. Abstentions hold no share. `slates` holds the outcome of every way to
    break ties, and items whose order depends on how ties are broken share a tier; bounds in
    `families.branches.Branches`. One profile at a time: `batch` loops.

    Attributes:
        completion: phragmen, utilitarian, none.
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.

    Sources: D. Peters and P. Skowron, Proportionality and the limits of welfarism, 2020 (there Rule X, completed by
    sequential Phragmen); the other completions: M. Lackner and P. Skowron, Multi-winner voting with approval
    preferences, 2023.
    """

    name: ClassVar[str] = "mes"
    needs: ClassVar[Need] = "approval"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "jr", "pjr", "ejr")
    cost: ClassVar[Cost] = "quadratic"
    rule: ClassVar[str] = (
        "every item costs 1 and every ballot holds an equal share of k; buy in turn the item whose supporters can pay "
        "for it with the smallest payment each"
    )

    def first_place_points(self, profile: Profile, outcome: Outcome) -> Floats | None:
        """The weight of approvals; None without completion, where nothing at all may be bought."""
        return None if self.completion == "none" else super().first_place_points(profile, outcome)
