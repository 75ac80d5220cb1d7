"""Homogeneity: only the shares of the ballots matter."""

from __future__ import annotations

from simulator.axioms.ballots import with_weights
from simulator.axioms.base import Axiom, picked
from simulator.axioms.counterexample import Counterexample
from simulator.axioms.sameness import difference
from simulator.axioms.subject import Subject
from simulator.profile import Profile


def homogeneity(subject: Subject, profile: Profile, k: int, most: int | None = None) -> Counterexample | None:
    """All weights times two, or times three, decide the same.

    Source: J. H. Smith, Aggregation of preferences with variable electorate, 1973.
    """
    before = subject.outcome(profile, k)
    for factor in picked((2, 3), most, profile):
        scaled = with_weights(profile, profile.weights * factor)
        after = subject.outcome(scaled, k)
        if what := difference(subject, before, after):
            sentence = f"With all weights times {factor}, {what}."
            return Counterexample("homogeneous", k, profile, before, sentence, scaled, after)
    return None


HOMOGENEITY = Axiom("homogeneous", "informative", "Only the shares of the weights matter.", homogeneity)
