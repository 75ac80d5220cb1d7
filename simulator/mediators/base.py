"""What a mediator is: it turns the ballots of a round into one outcome, by arithmetic that can be redone by hand.

A new rule is a frozen dataclass in a file of its own: subclass `ScoreMediator` and write `points`, or subclass
`Mediator` and write `mediate`; decorate it with `@register("mediator", "its_name")`. See `borda.py`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, ClassVar, Literal

import numpy as np

from simulator.batch import BatchOutcome
from simulator.callsyntax import format_call
from simulator.outcome import Memory, Outcome, Trace, close_ranks, tiers_of
from simulator.profile import Floats, Ints, Profile
from simulator.seeds import child_seed

Need = Literal["ranking", "utility", "approval"]
Cost = Literal["linear", "quadratic", "cubic", "exponential", "integer program"]

PROPERTIES: dict[str, str] = {
    "anonymous": "The outcome does not depend on who cast which ballot; a ballot of weight 2 is two ballots.",
    "neutral": "Renaming the items renames the winners and the slates, and nothing else changes.",
    "resolute": "There is always a single winner and a single slate.",
    "condorcet": "An item that beats every other one by a strict majority of weight is the only winner.",
    "monotone": "A winner stays a winner when one ballot raises it and leaves the order of all others as it is.",
    "pareto": "An item does not win if every ballot puts another at least as high, and one with weight higher.",
    "participation": (
        "If a wins and b does not, a further ballot that puts a above b does not make b win; for a lottery, it does "
        "not lower the chance of getting one of its own t best items, for any t."
    ),
    "committee monotone": "Every winning slate of k items is part of one of k + 1 items, and each of those holds one.",
    "strategyproof": (
        "No ballot gets a better outcome by a false one; for a lottery, no false ballot raises the chance of getting "
        "one of the true ballot's t best items, for any t."
    ),
    "jr": "Of n / k of the weight that approves one item in common, some ballot has an approved item in every slate.",
    "pjr": (
        "Of l n / k of the weight that approves l items in common, the ballots together have l approved items in every "
        "slate, for any l."
    ),
    "ejr": (
        "Of l n / k of the weight that approves l items in common, some ballot has l approved items in every slate, "
        "for any l."
    ),
}
"""What a rule may claim in `properties`. Claims hold for the sets of tied winners and slates, before any tie rule, and
for every value of the rule's parameters, on ballots with ties, gaps, abstentions and weights."""

BLOCK = 100_000
"""How many numbers of a batch are worked on at once: they stay in the processor's cache, and memory stays bounded."""


class Mediator(ABC):
    """A rule that aggregates the ballots of one round.

    Attributes:
        name: the registry's name.
        needs: what it reads from a ballot; anything else is converted by a stated rule and noted in the outcome.
        uses_weights: whether ballot weights change its outcome.
        properties: axioms that it satisfies, out of `PROPERTIES`.
        cost: how its time grows with the number of items.
        batched: whether `scores` or `ranks` take leading batch axes as one array operation; if not, `batch` loops.
        lottery: whether it draws its outcome by `seed`. Then `scores` holds the probability of every item to come
            first, `winners` and `slates` what can be drawn, `tiers` and `ranking` what was drawn.
        rule: its formula in one sentence.
    """

    name: ClassVar[str]
    needs: ClassVar[Need] = "ranking"
    uses_weights: ClassVar[bool] = True
    properties: ClassVar[tuple[str, ...]] = ()
    cost: ClassVar[Cost] = "linear"
    batched: ClassVar[bool] = False
    lottery: ClassVar[bool] = False
    rule: ClassVar[str]

    @abstractmethod
    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Aggregate one profile (no batch axes).

        Args:
            profile: the ballots; ties, partial ballots, no ballot and zero weights are all allowed.
            memory: what the last outcome's `memory` held; None in the first round.
            k: size of the slate, at most the number of items.
            priority: tie order as item indices, first wins; item order by default. It orders what is delivered and
                never hides a tie: tied items stay together in `tiers`.
            seed: for lotteries alone.
        """

    def batch(
        self, profile: Profile, *, k: int = 1, priority: Sequence[int] | None = None, seed: int = 0
    ) -> BatchOutcome:
        """Aggregate a profile with leading batch axes, without memory; one profile after another unless `batched`.

        Every profile of a lottery gets a seed of its own, drawn from `seed` and its place in the batch.
        """
        in_order = list(range(profile.m) if priority is None else priority)
        outcomes = [
            self.mediate(one, k=k, priority=in_order, seed=child_seed(seed, "batch", place))
            for place, one in enumerate(profile.singles())
        ]
        shape = (*profile.ranks.shape[:-2], profile.m)
        scored = bool(outcomes) and all(outcome.score_values is not None for outcome in outcomes)
        scores = np.array([o.score_values for o in outcomes], dtype=np.float64).reshape(shape) if scored else None
        ranks = np.array([o.tier_numbers for o in outcomes], dtype=np.int64).reshape(shape)
        order = np.array([o.order for o in outcomes], dtype=np.int64).reshape(shape)
        winners = np.array([[item in o.winners for item in o.items] for o in outcomes], dtype=np.bool_).reshape(shape)
        return BatchOutcome(self.label, profile.items, k, scores, in_order, ranks, order, given_winners=winners)

    def first_place_points(self, profile: Profile, outcome: Outcome) -> Floats | None:
        """Points `(n, m)` of each ballot, weighted, if the first place goes to the greatest sum of them, else None.

        The points of a ballot must not depend on other ballots: the justification takes single ballots out of the sum.
        Rules without such points are asked again without each ballot, which takes longer.
        """
        return None

    @property
    def label(self) -> str:
        """The rule with the parameters that differ from their defaults, as `name(key=value)`."""
        changed: dict[str, Any] = {
            f.name: getattr(self, f.name)
            for f in fields(self)  # type: ignore[arg-type]  # every mediator is a dataclass; ABC cannot say so
            if getattr(self, f.name) != f.default
        }
        return format_call(self.name, changed) if changed else self.name


class BatchedMediator(Mediator):
    """A rule whose scores are one array operation, also with leading batch axes."""

    batched: ClassVar[bool] = True

    @abstractmethod
    def scores(self, profile: Profile) -> Floats:
        """Scores `(..., m)`, larger is better."""

    def batch(
        self, profile: Profile, *, k: int = 1, priority: Sequence[int] | None = None, seed: int = 0
    ) -> BatchOutcome:
        """Aggregate a profile with leading batch axes in one array operation."""
        in_order = list(range(profile.m) if priority is None else priority)
        scores = np.empty((math.prod(profile.ranks.shape[:-2]), profile.m))
        for place, block in profile.blocks(BLOCK):
            scores[place] = self.scores(block)
        return BatchOutcome(
            self.label, profile.items, k, scores.reshape(*profile.ranks.shape[:-2], profile.m), in_order
        )


class ScoreMediator(BatchedMediator):
    """A rule whose score is a weighted sum over ballots of points per item."""

    @abstractmethod
    def points(self, profile: Profile) -> Floats:
        """Points `(..., n, m)` that each ballot gives to each item, before weights."""

    def scores(self, profile: Profile) -> Floats:
        """Scores `(..., m)`: the weighted sum of points; batch axes are one array operation."""
        return self._sums(profile, 1)[0]

    def points_for(self, profile: Profile, k: int) -> Floats:
        """The points, for rules that read ballots by the size of the slate; by default they do not."""
        return self.points(profile)

    def _sums(self, profile: Profile, k: int) -> tuple[Floats, Floats | None]:
        """The scores `(..., m)` and, where points may cancel, the sums of the points' sizes."""
        if profile.ranks.size <= BLOCK or profile.ranks.ndim == 2:
            points = self.points_for(profile, k)
            sizes = _weighted(profile.weights, np.abs(points)) if points.min(initial=0.0) < 0 else None
            return _weighted(profile.weights, points), sizes
        scores = np.empty((math.prod(profile.ranks.shape[:-2]), profile.m))
        sizes = np.empty_like(scores)
        cancel = False
        for place, block in profile.blocks(BLOCK):
            scores[place], part = self._sums(block, k)
            sizes[place] = np.abs(scores[place]) if part is None else part
            cancel |= part is not None
        shape = (*profile.ranks.shape[:-2], profile.m)
        return scores.reshape(shape), sizes.reshape(shape) if cancel else None

    def batch(
        self, profile: Profile, *, k: int = 1, priority: Sequence[int] | None = None, seed: int = 0
    ) -> BatchOutcome:
        """Aggregate a profile with leading batch axes in one array operation."""
        in_order = list(range(profile.m) if priority is None else priority)
        scores, sizes = self._sums(profile, k)
        return BatchOutcome(self.label, profile.items, k, scores, in_order, sizes=sizes)

    def first_place_points(self, profile: Profile, outcome: Outcome) -> Floats | None:
        """The contributions to the scores."""
        return outcome.trace.contributions

    def notes(self, profile: Profile) -> tuple[str, ...]:
        """Conversions made to read these ballots, in words."""
        return ()

    def notes_for(self, profile: Profile, k: int) -> tuple[str, ...]:
        """The same, for rules that read ballots by the size of the slate."""
        return self.notes(profile)

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Rank items by score."""
        contributions = profile.weights[:, None] * self.points_for(profile, k)
        trace = Trace(self.rule, contributions=contributions)
        notes = self.notes_for(profile, k)
        return ranked_outcome(self, profile, contributions.sum(axis=0), trace, k, priority, notes)


def _weighted(weights: Floats, points: Floats) -> Floats:
    return np.asarray(np.einsum("...n,...nm->...m", weights, points))


def ranked_outcome(
    mediator: Mediator,
    profile: Profile,
    scores: Floats | None,
    trace: Trace,
    k: int,
    priority: Sequence[int] | None,
    notes: tuple[str, ...] = (),
    ranks: Ints | None = None,
) -> Outcome:
    """The outcome of a rule that ranks items and delivers the top k.

    Args:
        mediator, profile, trace, k, priority, notes: as in `Mediator.mediate` and `Outcome`.
        scores: `(m,)`, larger is better; None for rules that rank without scores.
        ranks: `(m,)` tier of every item, for rules whose order is finer than their scores; by default the scores'.
    """
    if ranks is None:
        assert scores is not None, "a rule gives scores or ranks"
        sizes = None if trace.contributions is None else np.abs(trace.contributions).sum(axis=0)
        ranks = close_ranks(scores, sizes)
    tiers = tiers_of(ranks, range(profile.m) if priority is None else priority)
    order = tuple(item for tier in tiers for item in tier)
    return Outcome(
        mediator=mediator.label,
        items=profile.items,
        k=k,
        order=order,
        tier_indices=tiers,
        slate_indices=order[:k],
        score_values=scores,
        trace=trace,
        notes=notes,
    )
