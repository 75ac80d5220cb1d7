"""What a mediator is: it turns the ballots of a round into one outcome, by arithmetic that can be redone by hand.

A new rule is a frozen dataclass in a file of its own: subclass `ScoreMediator` and write `points`, or subclass
`Mediator` and write `mediate`; decorate it with `@register("mediator", "its_name")`. See `borda.py`.
"""

from __future__ import annotations

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
Cost = Literal["linear", "quadratic", "cubic", "exponential"]


class Mediator(ABC):
    """A rule that aggregates the ballots of one round.

    Attributes:
        name: the registry's name.
        needs: what it reads from a ballot; anything else is converted by a stated rule and noted in the outcome.
        uses_weights: whether ballot weights change its outcome.
        properties: axioms that it satisfies, as the field names them.
        cost: how its time grows with the number of items.
        batched: whether `scores` or `ranks` take leading batch axes as one array operation; if not, `batch` loops.
        rule: its formula in one sentence.
    """

    name: ClassVar[str]
    needs: ClassVar[Need] = "ranking"
    uses_weights: ClassVar[bool] = True
    properties: ClassVar[tuple[str, ...]] = ()
    cost: ClassVar[Cost] = "linear"
    batched: ClassVar[bool] = False
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
        return BatchOutcome(self.label, profile.items, k, scores, in_order, ranks, order)

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


class ScoreMediator(Mediator):
    """A rule whose score is a weighted sum over ballots of points per item."""

    batched: ClassVar[bool] = True

    @abstractmethod
    def points(self, profile: Profile) -> Floats:
        """Points `(..., n, m)` that each ballot gives to each item, before weights."""

    def scores(self, profile: Profile) -> Floats:
        """Scores `(..., m)`: the weighted sum of points; batch axes are one array operation."""
        return np.asarray(np.einsum("...n,...nm->...m", profile.weights, self.points(profile)))

    def batch(
        self, profile: Profile, *, k: int = 1, priority: Sequence[int] | None = None, seed: int = 0
    ) -> BatchOutcome:
        """Aggregate a profile with leading batch axes in one array operation."""
        in_order = list(range(profile.m) if priority is None else priority)
        return BatchOutcome(self.label, profile.items, k, self.scores(profile), in_order)

    def first_place_points(self, profile: Profile, outcome: Outcome) -> Floats | None:
        """The contributions to the scores."""
        return outcome.trace.contributions

    def notes(self, profile: Profile) -> tuple[str, ...]:
        """Conversions made to read these ballots, in words."""
        return ()

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
        contributions = profile.weights[:, None] * self.points(profile)
        trace = Trace(self.rule, contributions=contributions)
        return ranked_outcome(self, profile, contributions.sum(axis=0), trace, k, priority, self.notes(profile))


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
