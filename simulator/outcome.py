"""What a mediator decides: the collective ranking with its ties, the delivered slate, and the arithmetic of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import comb, isfinite
from typing import Any

import numpy as np

from simulator.profile import Floats, Ints

MOST_SLATES = 1000
TOLERANCE = 1e-9

Memory = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a rule that works in steps: what was chosen, at which value, and the values it was chosen among.

    `act` says what happened to the item: "chosen", or, by rules that count ballots again and again, "elected",
    "eliminated", or "left" at the end.
    """

    item: str
    value: float
    note: str = ""
    act: str = "chosen"


@dataclass(frozen=True, slots=True)
class Trace:
    """The arithmetic of one decision, complete enough to be redone by hand.

    Attributes:
        rule: the formula in one sentence.
        contributions: `(n, m)`, what each ballot gives to each item; adds up over ballots to the scores. None for
            rules whose scores are not sums over ballots.
        values: `(n, m)`, what each ballot says about each item (utilities, approvals as 0 and 1), for rules whose
            scores are other functions of them than a weighted sum.
        pairwise: `(m, m)`, the weight of the ballots that rank the row item above the column item; for pairwise rules.
        steps: the choices of a sequential rule, in order; beside `pairwise`, its majorities in the order in which they
            were considered.
        slates: for rules that choose a slate as a whole, the chosen slate and the next best one with their worth.
        paths: `(m, m)`, strength of the strongest path of majorities from the row item to the column item, for rules
            that follow paths.
        cost: what the delivered order costs, for rules that minimise a cost of orders.
        optimal: whether it was proved that nothing costs less, for these rules.
        standing: for rules with memory, what they hold about each ballot before the round: arrays `(n,)` by name.
        weights: `(n,)` the weights that ballots counted with, where a rule does not take them as they are.
    """

    rule: str
    contributions: Floats | None = None
    values: Floats | None = None
    pairwise: Floats | None = None
    steps: tuple[Step, ...] = ()
    slates: tuple[tuple[tuple[int, ...], float], ...] = ()
    paths: Floats | None = None
    cost: float | None = None
    optimal: bool | None = None
    standing: Mapping[str, Floats] = field(default_factory=dict)
    weights: Floats | None = None


@dataclass(frozen=True)
class Outcome:
    """One collective decision.

    Attributes:
        mediator: the rule with its parameters, as `name(key=value)`.
        items: the m items in item order.
        k: the slate's size.
        order: all items as indices, best first, ties ordered by the scenario's tie rule.
        tier_indices: the ranking with its ties, as indices.
        slate_indices: the delivered top k as indices.
        score_values: `(m,)` scores, larger is better; None for rules without scores.
        trace: the arithmetic.
        tied_slates: all tied winning slates as indices for rules that choose slates; None = they follow from the tiers.
        tied_winners: all tied first items as indices, where they are not simply the first tier.
        complete: whether all tied winners and slates are listed.
        notes: conversions and ties, in words.
        memory: what a rule with memory wants to be given in the next round; JSON-able.
    """

    mediator: str
    items: tuple[str, ...]
    k: int
    order: tuple[int, ...]
    tier_indices: tuple[tuple[int, ...], ...]
    slate_indices: tuple[int, ...]
    score_values: Floats | None
    trace: Trace
    tied_slates: tuple[tuple[int, ...], ...] | None = None
    tied_winners: tuple[int, ...] | None = None
    complete: bool = True
    notes: tuple[str, ...] = ()
    memory: Memory = field(default_factory=dict)

    def _named(self, indices: Sequence[int]) -> tuple[str, ...]:
        items = self.items
        return tuple([items[i] for i in indices])

    @cached_property
    def ranking(self) -> tuple[str, ...]:
        """All items, best first, ties ordered by the tie rule."""
        return self._named(self.order)

    @cached_property
    def tiers(self) -> tuple[tuple[str, ...], ...]:
        """The ranking with its ties."""
        items = self.items
        return tuple([tuple([items[i] for i in tier]) for tier in self.tier_indices])

    @cached_property
    def scores(self) -> dict[str, float] | None:
        """Score of every item, or None for rules without scores."""
        return None if self.score_values is None else dict(zip(self.items, self.score_values.tolist(), strict=True))

    @cached_property
    def winners(self) -> tuple[str, ...]:
        """All items that can come first under some tie-breaking."""
        return self._named(self.tier_indices[0] if self.tied_winners is None else self.tied_winners)

    @cached_property
    def slate(self) -> tuple[str, ...]:
        """The delivered items, best first."""
        return self._named(self.slate_indices)

    @cached_property
    def slates(self) -> tuple[tuple[str, ...], ...] | None:
        """All winning slates of size k under some tie-breaking; None if there are too many to list."""
        if self.tied_slates is not None:
            return tuple(self._named(slate) for slate in self.tied_slates)
        fixed: list[int] = []
        for tier in self.tier_indices:
            room = self.k - len(fixed)
            if len(tier) > room:
                if comb(len(tier), room) > MOST_SLATES:
                    return None
                return tuple(self._named([*fixed, *rest]) for rest in combinations(tier, room))
            fixed += tier
        return (self._named(fixed),)

    @cached_property
    def tier_numbers(self) -> Ints:
        """Tier `(m,)` of every item, 0 = first."""
        numbers = np.empty(len(self.order), dtype=np.int64)
        for number, tier in enumerate(self.tier_indices):
            numbers[list(tier)] = number
        return numbers

    @cached_property
    def positions(self) -> Ints:
        """Position `(m,)` of every item in `order`, 0 = first."""
        places = np.empty(len(self.order), dtype=np.int64)
        places[list(self.order)] = np.arange(len(self.order))
        return places

    def to_json(self) -> dict[str, Any]:
        """The outcome as one JSON-able object (see `fairagents mediate --json`); an infinite score is null."""
        scores = self.scores
        return {
            "mediator": self.mediator,
            "k": self.k,
            "scores": None if scores is None else {i: s if isfinite(s) else None for i, s in scores.items()},
            "tiers": [list(tier) for tier in self.tiers],
            "winners": list(self.winners),
            "slates": None if self.slates is None else [list(slate) for slate in self.slates],
            "complete": self.complete and self.slates is not None,
        }


def close_ranks(scores: Floats, sizes: Floats | None = None) -> Ints:
    """Tiers `(m,)` of scores that come out of arithmetic: 0 = best, no gaps, equal up to rounding is equal.

    A score starts a new tier where it is below the next better one by more than `TOLERANCE` times their size.

    Args:
        scores: `(m,)`, larger is better; infinities allowed.
        sizes: `(m,)` magnitudes of the terms that were added up to each score; |score| by default. Needed where
            terms cancel: 0.1 + 0.2 - 0.3 is a rounding error away from 0, and no size of its own says so.
    """
    order = np.argsort(-scores, kind="stable")
    descending = scores[order]
    size = np.abs(descending) if sizes is None else sizes[order]
    with np.errstate(invalid="ignore"):  # inf - inf is nan, which is not larger: tied
        falls = descending[:-1] - descending[1:] > TOLERANCE * np.minimum(np.maximum(size[:-1], size[1:]), 1e300)
    ranks = np.zeros(len(scores), dtype=np.int64)
    ranks[order[1:]] = np.cumsum(falls)
    return ranks


def tiers_of(ranks: Ints, priority: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Group items by tier number `(m,)`, best first; items inside a tier stand in the order of `priority`."""
    numbers = ranks.tolist()
    tiers: list[list[int]] = [[] for _ in range(max(numbers) + 1)]
    for item in priority:
        tiers[numbers[item]].append(item)
    return tuple(map(tuple, tiers))
