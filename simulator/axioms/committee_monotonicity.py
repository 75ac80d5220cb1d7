"""Committee monotonicity: a larger slate only adds items."""

from __future__ import annotations

from simulator.axioms.base import Axiom
from simulator.axioms.counterexample import Counterexample, named
from simulator.axioms.subject import Choices, Subject, slates
from simulator.profile import Profile


def committee_monotonicity(
    subject: Subject, profile: Profile, k: int, most: int | None = None
) -> Counterexample | None:
    """Every winning slate of size k is part of one of size k + 1, and every one of size k + 1 holds one of size k.

    Source: E. Elkind, P. Faliszewski, P. Skowron and A. Slinko, Properties of multiwinner voting rules, 2017.
    """
    size = min(k, profile.m - 1)
    if size < 1:
        return None
    small, large = subject.outcome(profile, size), subject.outcome(profile, size + 1)
    fewer, more = slates(small), slates(large)
    if fewer is None or more is None:
        return None
    alone = _without_partner(fewer, more)
    if alone is None:
        return None
    sentence = f"{{{named(profile.items, sorted(alone))}}} wins at its size, but {_lacks(len(alone) == size, size)}."
    return Counterexample("committee monotone", size, profile, small, sentence, profile, large)


def _without_partner(fewer: Choices, more: Choices) -> frozenset[int] | None:
    for slate in sorted(fewer, key=sorted):
        if not any(slate <= other for other in more):
            return slate
    for slate in sorted(more, key=sorted):
        if not any(other <= slate for other in fewer):
            return slate
    return None


def _lacks(is_small: bool, size: int) -> str:
    return f"no winning slate of {size + 1} holds it" if is_small else f"it holds no winning slate of {size}"


COMMITTEE_MONOTONICITY = Axiom(
    "committee monotone", "property", "A larger slate only adds items.", committee_monotonicity
)
