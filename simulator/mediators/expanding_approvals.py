"""The expanding approvals rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from typing import ClassVar

from simulator.mediators.base import Cost, Mediator
from simulator.mediators.families.agreement import Agreement, kinds_of
from simulator.mediators.families.expansion import Expansion
from simulator.mediators.families.first_choices import CastBallots, cast_ballots
from simulator.outcome import TOLERANCE, Memory, Outcome, Step, Trace, tiers_of
from simulator.profile import Profile
from simulator.registry import register


@register("mediator", "expanding_approvals")
@dataclass(frozen=True)
class ExpandingApprovals(Mediator):
    """Ballots approve their first choices, then also their second ones, and so on; a quota of approval elects an item.

    With ballots of total weight n, abstentions left out, m items and k seats, the quota is

        q = n / (k + 1) + (floor(n / (k + 1)) + 1 - n / (k + 1)) / (m + 1),

    but never more than n / k, so that k items can reach it however little the ballots weigh. For j = 1, 2, ...: as long
    as some item that is not elected has the support S = sum of w_i over the ballots i with r_i(a) <= j of at least q,
    one of them is elected and its supporters keep (S - q) / S of their weight; it is the rank-maximal one, with the
    largest weight of first places, then of second places, and so on, as the ballots were cast. r_i(a) is 1 + the number
    of items that the ballot puts above a: all of a tie is approved at its first place. Unranked items are tied last.

    The ranking is the order of election, then all other items in rank-maximal order. Items with the same weight of
    first, second, ... places may be elected in any order (parallel universes): `slates` and `winners`, the items that
    may be elected first, hold what some tie-breaking gives, and items that come in different order share a tier. A
    batch is taken one profile after another.

    It satisfies generalised proportionality for solid coalitions, which is PJR for approval ballots.

    Source: H. Aziz and B. E. Lee, The expanding approvals rule: improving proportional representation and monotonicity,
    2020.
    """

    name: ClassVar[str] = "expanding_approvals"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "pareto", "jr", "pjr")
    cost: ClassVar[Cost] = "quadratic"
    rule: ClassVar[str] = (
        "ballots approve their first choices, then also their second ones, and so on; as soon as a quota of weight "
        "approves an item, the rank-maximal such item is elected and its supporters pay the quota"
    )

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Elect k items."""
        in_order = list(range(profile.m) if priority is None else priority)
        ballots = cast_ballots(profile)
        quota = _quota(ballots, profile.m, k)
        agreement = Agreement(kinds_of(ballots.ranks), in_order)
        expansion = Expansion(ballots, agreement, k, quota)
        expansion.run()
        order = expansion.order
        agreement.note_swaps(order, expansion.swaps)
        slates, listed = agreement.slates(k, order[:k])
        lost = expansion.lost_at
        steps = tuple(
            Step(profile.items[item], support, f"at depth {depth}{_tied(ties)}", "elected")
            for item, support, depth, ties in expansion.events
        )
        return Outcome(
            mediator=self.label,
            items=profile.items,
            k=k,
            order=order,
            tier_indices=tiers_of(agreement.ranks(order), order),
            slate_indices=order[:k],
            score_values=None,
            trace=Trace(f"{self.rule}; the quota is {quota:.6g}", steps=steps),
            tied_slates=slates,
            tied_winners=agreement.winners(order[0]),
            complete=listed and lost is None,
            notes=()
            if lost is None
            else (f"From seat {lost} on there are more ways to break ties than were followed.",),
        )


def _quota(ballots: CastBallots, m: int, k: int) -> float:
    """The support that elects an item."""
    share = ballots.total / (k + 1)
    whole = floor(share * (1 + TOLERANCE)) + 1
    return min(share + (whole - share) / (m + 1), ballots.total / k)


def _tied(ties: int) -> str:
    return f", tied with {ties} more" if ties else ""
