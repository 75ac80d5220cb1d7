"""Resoluteness: there is one winner."""

from __future__ import annotations

from simulator.axioms.base import Axiom
from simulator.axioms.counterexample import Counterexample
from simulator.axioms.subject import Subject
from simulator.profile import Profile


def resoluteness(subject: Subject, profile: Profile, k: int, most: int | None = None) -> Counterexample | None:
    """There is always a single winner and a single slate.

    No rule that is anonymous and neutral can be resolute.

    Source: H. Moulin, The Strategy of Social Choice, 1983.
    """
    outcome = subject.outcome(profile, k)
    choices = subject.choices(profile, k)
    if choices is not None and len(choices) > 1:
        what = "items are tied for the first place" if k == 1 else "slates are tied"
        return Counterexample("resolute", k, profile, outcome, f"{len(choices)} {what}.")
    return None


RESOLUTENESS = Axiom("resolute", "property", "There is always a single winner and a single slate.", resoluteness)
