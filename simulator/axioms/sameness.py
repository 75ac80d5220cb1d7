"""Whether two outcomes decide the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simulator.axioms.subject import Subject, slates, winners
from simulator.outcome import Outcome

CLOSE = 1e-7


def difference(subject: Subject, one: Outcome, other: Outcome, places: Sequence[int] | None = None) -> str | None:
    """What differs between two outcomes, in words; None if nothing that a mediator decides does.

    Winners, slates and the ranking with its ties must be the same; of a lottery, what can be drawn and the chances, for
    what is drawn is chance. Lists that are not complete are not compared.

    Args:
        subject: the rule.
        one: an outcome.
        other: another one.
        places: where each item of `other` stands in `one`, whose names are told; the same places by default.
    """
    back = list(range(len(one.items))) if places is None else list(places)
    if one.complete and other.complete and set(winners(one)) != {back[item] for item in winners(other)}:
        return f"the winners are {_names(one, winners(one))} and {_names(one, [back[i] for i in winners(other)])}"
    here, there = slates(one), slates(other)
    if here is not None and there is not None and here != {frozenset(back[i] for i in slate) for slate in there}:
        return "the winning slates differ"
    if subject.mediator.lottery:
        chances, others = one.score_values, other.score_values
        if chances is not None and others is not None and not np.allclose(chances[back], others, atol=CLOSE, rtol=0):
            return "the chances differ"
        return None
    tiers = [set(tier) for tier in one.tier_indices]
    if one.complete and other.complete and tiers != [{back[item] for item in tier} for tier in other.tier_indices]:
        moved = [[back[item] for item in tier] for tier in other.tier_indices]
        return f"the rankings are {_ranking(one, one.tier_indices)} and {_ranking(one, moved)}"
    return None


def _names(outcome: Outcome, items: Sequence[int]) -> str:
    return ", ".join(sorted(outcome.items[item] for item in items))


def _ranking(outcome: Outcome, tiers: Sequence[Sequence[int]]) -> str:
    return " > ".join(" = ".join(sorted(outcome.items[item] for item in tier)) for tier in tiers)
