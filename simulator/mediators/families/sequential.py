"""Approval rules that choose one item after another: the order of choice is a ranking, its first k items a slate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Mediator
from simulator.mediators.conversions import Notes, approvals, cast_weights, check_approve
from simulator.mediators.families.branches import Branches
from simulator.mediators.families.course import Course, Stepwise
from simulator.mediators.families.electorate import gather
from simulator.mediators.families.slates import as_numbers
from simulator.mediators.families.staged import Ranked, StagedOutcome
from simulator.mediators.families.tied import Slate, listed
from simulator.outcome import Memory, Outcome, Step, Trace, tiers_of
from simulator.profile import Bools, Floats, Profile


@dataclass(frozen=True)
class SequentialMediator(Mediator, Stepwise):
    """A rule that chooses items one by one by a worth that depends on what each ballot has got so far.

    Write `worth` and `after`, see `simulator.mediators.families.course.Stepwise`.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5 (`conversions.approvals`).
    """

    approve: str = "auto"

    order_free: ClassVar[bool] = False
    """Whether what the ballots have got follows from the chosen items, whatever the order of choice."""
    removes: ClassVar[bool] = False
    """Whether items are taken away one by one, until k are left, rather than chosen."""

    def __post_init__(self) -> None:
        check_approve(self.approve)

    @property
    def fills(self) -> bool:
        """Whether a slate is filled up, in every way, where choice ends before there are k items."""
        return True

    def said(self, phase: int) -> str:
        """What the trace says about the items that a phase has chosen."""
        return ""

    def phases(self) -> tuple[Stepwise, ...]:
        """What items are chosen by; where one finds nothing worth choosing, the next one goes on."""
        return (self,)

    def read(self, profile: Profile, k: int) -> tuple[Floats | Bools, Notes]:
        """What each ballot gives to each item, `(n, m)`."""
        return approvals(profile, self.approve, k)

    def first_place_points(self, profile: Profile, outcome: Outcome) -> Floats | None:
        """The weight of its approvals: as long as no ballot has got anything, the first choice has most of it."""
        return None if outcome.trace.values is None else profile.weights[:, None] * outcome.trace.values

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Choose items one by one until none is worth choosing; the others come last, tied."""
        values, notes = self.read(profile, k)
        choice = _Choice(self, values, cast_weights(profile), range(profile.m) if priority is None else priority, k)
        slates, complete = choice.slates()
        return StagedOutcome(
            partial(self._ranked, profile, values, notes, choice),
            mediator=self.label,
            items=profile.items,
            k=k,
            slate_indices=choice.delivered(),
            score_values=None,
            tied_slates=slates,
            tied_winners=choice.winners(),
            complete=complete,
            memory={},
        )

    def _ranked(self, profile: Profile, values: Floats | Bools, notes: Notes, choice: _Choice) -> Ranked:
        order, cuts = choice.ranking()
        ranks = np.empty(profile.m, dtype=np.int64)
        ranks[list(order)] = np.searchsorted(cuts, np.arange(profile.m), side="right")
        trace = Trace(self.rule, values=as_numbers(values), steps=choice.steps(profile.items))
        return Ranked(order, tiers_of(ranks, order), trace, notes + choice.remarks())


class _Choice:
    """The course under the tie order and all others, up to the slate first, and to their ends when asked for it."""

    def __init__(
        self, rule: SequentialMediator, values: Floats | Bools, weights: Floats, in_order: Sequence[int], k: int
    ) -> None:
        # What is taken away first is the last in the tie order.
        self.rule, self.k, self.m = rule, k, values.shape[1]
        self.in_order = list(reversed(in_order)) if rule.removes else list(in_order)
        self.people, self.members = gather(values, weights, self.in_order)
        place = [0] * self.m
        for spot, item in enumerate(self.in_order):
            place[item] = spot
        size = self.m - k if rule.removes else k
        phases = rule.phases()
        self.course = Course(phases, self.people, self.members, place, k)
        self.course.go(size)
        sizes = list(map(len, self.members))
        self.branches = Branches(phases, self.people, sizes, self.course, size, rule.order_free)
        self.branches.go(size)
        if rule.removes:
            self.finish()

    def finish(self) -> None:
        """Go on to the ends of all courses."""
        self.course.go(self.m)
        self.branches.go(self.m + 1)

    def chosen(self) -> list[int]:
        """The items that were chosen (or taken away) so far, in this order."""
        queues = [iter(items) for items in self.members]
        return [next(queues[kind]) for kind in self.course.kinds]

    def delivered(self) -> Slate:
        """The slate under the tie order; where choice ended before it was complete, filled up in the tie order."""
        chosen = self.chosen()
        if self.rule.removes:
            return tuple(chosen[: -self.k - 1 : -1])
        if len(chosen) < self.k:
            taken = set(chosen)
            chosen += [item for item in self.in_order if item not in taken]
        return tuple(chosen[: self.k])

    def slates(self) -> tuple[tuple[Slate, ...], bool]:
        """All tied slates, and whether these are all and all tied winners are known."""
        delivered = self.delivered() if self.rule.fills else self.chosen()[: self.k]
        ends = self.branches.ends
        if not ends:
            return (tuple(sorted(delivered)),), False
        if self.rule.removes:
            sizes = list(map(len, self.members))
            ends = [(tuple(a - b for a, b in zip(sizes, taken, strict=True)), 0) for taken, _ in ends]
        elif not self.rule.fills:
            ends = [(taken, 0) for taken, _ in ends]
        slates, complete = listed(self.members, ends, delivered)
        return slates, complete and not (self.rule.removes and self.branches.lost)

    def winners(self) -> tuple[int, ...]:
        """All items that can come first; only the one that does where that is not known."""
        if not self.rule.removes:
            kinds = self.course.first or range(len(self.members))
            return tuple(sorted(chain.from_iterable(self.members[kind] for kind in kinds)))
        if self.branches.lost:
            return self.delivered()[:1]
        return tuple(sorted(chain.from_iterable(self.members[kind] for kind in self.branches.last)))

    def ranking(self) -> tuple[tuple[int, ...], list[int]]:
        """All items, best first, and the places at which new tiers start.

        Where not every course was followed, every choice starts one.
        """
        self.finish()
        chosen, cuts = self.chosen(), self.branches.cuts
        if self.branches.lost:
            cuts = [*cuts, *range(cuts[-1] + 1 if cuts else 1, len(chosen) + 1)]
        if self.rule.removes:
            chosen.reverse()
            cuts = [self.m - cut for cut in reversed(cuts) if cut < self.m]
        taken = set(chosen)
        return (*chosen, *(item for item in self.in_order if item not in taken)), cuts

    def steps(self, items: Sequence[str]) -> tuple[Step, ...]:
        """What was chosen, or taken away, at which worth."""
        course, phases, scale = self.course, self.rule.phases(), self.people.scale
        said = [self.rule.said(phase) for phase in range(len(phases))]
        steps: list[Step] = []
        for item, worth, ties, phase in zip(self.chosen(), course.worth, course.ties, course.phases, strict=True):
            note = said[phase]
            if ties:
                note = f"{note}{'; ' if note else ''}tied with {ties} more"
            act = "chosen" if not self.rule.removes else "eliminated" if len(steps) + 1 < self.m else "left"
            steps.append(Step(items[item], phases[phase].shown(worth, scale), note, act))
        return tuple(steps)

    def remarks(self) -> Notes:
        """What the reader must know about ties that were not followed and about items that were not chosen."""
        remarks: Notes = ()
        if self.branches.lost:
            same = self.branches.cuts[-1] if self.branches.cuts else 0
            places = f"up to place {self.m - same}" if self.rule.removes else f"from place {same + 1} on"
            slates = "" if self.branches.ends else ", and only the delivered slate is listed"
            what = f"{places} the ranking follows the tie order{slates}"
            remarks += (f"There are more ways to break ties than were followed: {what}.",)
        bought = len(self.course.kinds)
        if bought < self.k and not self.rule.fills:
            remarks += (
                f"Only {bought} of {self.k} items were chosen; the delivered slate is filled up in the tie order.",
            )
        return remarks
