"""Exact approval rules: the slate whose worth to the ballots is greatest of all."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simulator.mediators.base import Mediator
from simulator.mediators.conversions import approvals, cast_weights, check_approve
from simulator.mediators.families.electorate import Electorate, gather
from simulator.mediators.families.integer_program import Program, solve
from simulator.mediators.families.kinds import choice_of_counts
from simulator.mediators.families.slates import SlateChoice, item_tiers, slack_of, slate_outcome
from simulator.mediators.families.tied import Slate
from simulator.outcome import Memory, Outcome
from simulator.profile import Ints, Profile


@dataclass(frozen=True)
class CommitteeMediator(Mediator):
    """A rule that looks for the best slate of all, by comparing slates or by integer program.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5 (`conversions.approvals`).
        time_limit: seconds for the integer program.
    """

    approve: str = "auto"
    time_limit: float = 10.0

    def __post_init__(self) -> None:
        check_approve(self.approve)
        if not self.time_limit > 0:
            raise ValueError(f"time_limit is {self.time_limit}; it must be above 0 seconds")

    @abstractmethod
    def compare(
        self, people: Electorate, members: Sequence[Sequence[int]], k: int, in_order: Sequence[int]
    ) -> SlateChoice | None:
        """The best of all slates by comparing them; None if they are too many."""

    @abstractmethod
    def program(self, people: Electorate, kind_of: Ints, k: int) -> Program:
        """The integer program; `kind_of` `(m,)` is the kind of every item."""

    @abstractmethod
    def worth(self, people: Electorate, counts: Ints, k: int) -> float:
        """What a slate is worth that takes so many items of each kind, `(c,)`."""

    @abstractmethod
    def near(self, people: Electorate, k: int) -> tuple[Ints, str]:
        """A good slate as counts `(c,)`, where the program ran out of time; and how it was found."""

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Choose the slate."""
        approved, notes = approvals(profile, self.approve, k)
        in_order = list(range(profile.m) if priority is None else priority)
        people, members = gather(approved, cast_weights(profile), in_order)
        kind_of = np.empty(profile.m, dtype=np.int64)
        for kind, items in enumerate(members):
            kind_of[items] = kind

        def counts(slate: Slate) -> Ints:
            return np.bincount(kind_of[list(slate)], minlength=len(members))

        choice = self.compare(people, members, k, in_order)
        if choice is None:
            choice = self._solve(people, members, kind_of, k, in_order)
        ranks = item_tiers(choice.group, [people.support[kind_of]], slack_of(people.weights))

        def worth(slate: Slate) -> float:
            return self.worth(people, counts(slate), k) * people.scale

        return slate_outcome(self, profile, choice, approved, ranks, worth, in_order, notes)

    def _solve(
        self, people: Electorate, members: Sequence[Sequence[int]], kind_of: Ints, k: int, in_order: Sequence[int]
    ) -> SlateChoice:
        def counts(slate: Slate) -> Ints:
            return np.bincount(kind_of[list(slate)], minlength=len(members))

        def worth(slate: Slate) -> float:
            return self.worth(people, counts(slate), k)

        solved = solve(self.program(people, kind_of, k), kind_of, k, worth, self.time_limit)
        next_best = None if solved.next_best is None else counts(solved.next_best)
        if solved.best:
            how = "Proved best by an integer program."
            if not solved.complete:
                how += " Other slates may be as good."
            best = np.array([counts(slate) for slate in solved.best])
        else:
            near, how = self.near(people, k)
            if solved.incumbent and worth(solved.incumbent) > self.worth(people, near, k):
                near, how = counts(solved.incumbent), "the best slate that the integer program came to"
            how = f"Not proved best within {self.time_limit:g} s: {how}. A better slate may exist."
            best = near[None]
        return choice_of_counts(
            best, members, in_order, next_best, how, complete=solved.complete, optimal=bool(solved.best)
        )
