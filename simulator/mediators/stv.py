"""The single transferable vote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from typing import ClassVar

from simulator.mediators.base import Cost, Mediator
from simulator.mediators.families.agreement import Agreement, kinds_of
from simulator.mediators.families.elimination import lost_note, most_states
from simulator.mediators.families.first_choices import CastBallots, FirstChoices, cast_ballots
from simulator.mediators.families.transfers import Count, TransferCount
from simulator.outcome import TOLERANCE, Memory, Outcome, Step, Trace, tiers_of
from simulator.profile import Profile
from simulator.registry import register


@register("mediator", "stv")
@dataclass(frozen=True)
class SingleTransferableVote(Mediator):
    """Items whose first choices reach a quota are elected and keep a quota; what is over it goes on to next choices.

    With ballots of total weight n, abstentions left out, and k seats, the quota is Droop's q = floor(n / (k + 1)) + 1:
    a weight of 1 is one ballot, whatever fractions there are. Ballots that weigh less than k in all could not fill k
    such quotas of 1, so that q = n / k then. Each count adds up first(a), the weight of the ballots whose best item,
    among those that are left, is a; a ballot that ties several is shared equally among them.

    1. If as many items are left as seats, they are elected, in the order of their totals.
    2. Else, if an item reaches the quota, the one with the largest total t is elected. What its pile weighs is
       multiplied by (t - q) / t and moves to the next choices (weighted inclusive Gregory method).
    3. Else, the item with the smallest total is eliminated, and its pile moves to the next choices.

    Unranked items are nobody's choice: a ballot of which no ranked item is left drops out, with what it still weighs.
    The ranking is the order of election, then the items that were left when all seats were taken by their last totals,
    then the reverse order of elimination. Of tied items any may be elected or eliminated (parallel universes): `slates`
    and `winners`, the items that may be elected first, hold what some tie-breaking gives, and items that come in
    different order share a tier. A batch is taken one profile after another.

    It gives a solid coalition of l quotas l seats; it is not monotone, and a ballot can do better by staying away
    (no-show paradox).

    Sources: N. Tideman, The single transferable vote, 1995; H. R. Droop, On methods of electing representatives, 1881;
    parallel universes: V. Conitzer, M. Rognlie and L. Xia, Preference functions that score rankings and maximum
    likelihood estimation, 2009.
    """

    name: ClassVar[str] = "stv"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral")
    cost: ClassVar[Cost] = "quadratic"
    rule: ClassVar[str] = (
        "items whose first choices reach the quota are elected and pass on what is over it; when there is none, the "
        "item with the least is eliminated and passes on all"
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
        quota, notes = _quota(ballots, k)
        agreement = Agreement(kinds_of(ballots.ranks), in_order)
        choices = FirstChoices(ballots.ranks, ballots.ranks == profile.m)
        slack = TOLERANCE * ballots.total
        count = TransferCount(choices, agreement, k, quota, slack, most_states(ballots)).run(ballots.weights)
        agreement.note_swaps(count.order, count.swaps)
        slates, listed = agreement.slates(k, count.order[:k])
        if count.lost_at is not None:
            notes += (lost_note(count.lost_at),)
        rule = f"{self.rule}; the quota is {quota:.6g}"
        return Outcome(
            mediator=self.label,
            items=profile.items,
            k=k,
            order=count.order,
            tier_indices=tiers_of(agreement.ranks(count.order), count.order),
            slate_indices=count.order[:k],
            score_values=None,
            trace=Trace(rule, steps=_steps(profile, count)),
            tied_slates=slates,
            tied_winners=agreement.winners(count.order[0]),
            complete=listed and count.lost_at is None,
            notes=notes,
        )


def _quota(ballots: CastBallots, k: int) -> tuple[float, tuple[str, ...]]:
    """The quota, and what to say about it."""
    n = ballots.total
    if n < k * (1 - TOLERANCE):
        said = f"The ballots weigh {n:.6g} in all, less than the {k} seats: the quota is {n:.6g} / {k}."
        return n / k, (said,) if n > 0 else ()
    return float(floor(n / (k + 1) * (1 + TOLERANCE)) + 1), ()


def _steps(profile: Profile, count: Count) -> tuple[Step, ...]:
    return tuple(
        Step(profile.items[item], total, f"tied with {ties} more" if ties else "", act)
        for act, item, total, ties in count.events
    )
