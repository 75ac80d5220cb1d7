"""Unanimity: what everybody puts first wins."""

from __future__ import annotations

from simulator.axioms.ballots import cast, opinions
from simulator.axioms.base import Axiom
from simulator.axioms.counterexample import Counterexample
from simulator.axioms.subject import Subject, winners
from simulator.profile import Profile


def unanimity(subject: Subject, profile: Profile, k: int, most: int | None = None) -> Counterexample | None:
    """An item that every ballot puts alone in front is among the winners.

    Source: K. O. May, A set of independent necessary and sufficient conditions for simple majority decision, 1952.
    """
    values = opinions(profile)[cast(profile)]
    if not len(values) or profile.m < 2:
        return None
    first = values.argmax(axis=1)
    alone = (values == values.max(axis=1, keepdims=True)).sum(axis=1) == 1
    if not alone.all() or (first != first[0]).any():
        return None
    outcome = subject.outcome(profile, 1)
    if int(first[0]) in winners(outcome):
        return None
    sentence = f"Every ballot puts {profile.items[first[0]]} alone in front, but it does not win."
    return Counterexample("unanimous", 1, profile, outcome, sentence)


UNANIMITY = Axiom("unanimous", "informative", "What every ballot puts alone in front wins.", unanimity)
