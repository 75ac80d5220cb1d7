"""Strategyproofness: the truth is the best ballot."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from simulator.axioms.ballots import cast, kind_of, misreports, opinions, with_ballot
from simulator.axioms.base import Axiom, picked
from simulator.axioms.counterexample import Counterexample
from simulator.axioms.dominance import chance_lost, kelly_prefers
from simulator.axioms.subject import Subject
from simulator.profile import Floats, Profile


def strategyproofness(subject: Subject, profile: Profile, k: int, most: int | None = None) -> Counterexample | None:
    """No ballot gets an outcome that it likes better by saying something else than it thinks.

    Tied outcomes are compared by Kelly's extension: a false ballot pays if whatever it leads to is at least as good as
    whatever the true one leads to, and something better than something. Slates count as the sum of what the ballot
    thinks of their items; with rankings only the winner is asked for. Of a lottery, no false ballot may raise the
    chance of one of the true ballot's t best items, for any t.

    Sources: A. Gibbard, Manipulation of voting schemes, 1973; M. A. Satterthwaite, Strategy-proofness and Arrow's
    conditions, 1975; J. S. Kelly, 1977; for lotteries: A. Gibbard, 1977.
    """
    size = k if kind_of(profile) != "ranking" and subject.outcome(profile, k).tied_slates is not None else 1
    honest = subject.choices(profile, size)
    if honest is None:
        return None
    outcome = subject.outcome(profile, size)
    for voter, row in picked(_lies(profile), most, profile):
        opinion = opinions(profile)[voter]
        changed = with_ballot(profile, voter, row)
        reached = subject.choices(changed, size)
        if reached is None:
            continue
        after = subject.outcome(changed, size)
        what = None
        if subject.mediator.lottery:
            if outcome.score_values is not None and after.score_values is not None:
                lost = chance_lost(opinion, outcome.score_values, after.score_values)
                what = (
                    lost and f"raises its chance of one of its {lost[0]} best items from {lost[1]:.4g} to {lost[2]:.4g}"
                )
        elif kelly_prefers(opinion, reached, honest):
            what = "gets an outcome that it likes better"
        if what:
            sentence = f"Ballot {voter + 1} {what} by a false ballot."
            return Counterexample("strategyproof", size, profile, outcome, sentence, changed, after)
    return None


def _lies(profile: Profile) -> Iterator[tuple[int, Floats]]:
    for voter in np.flatnonzero(cast(profile)).tolist():
        for row in misreports(profile, voter):
            yield voter, row


STRATEGYPROOFNESS = Axiom(
    "strategyproof", "property", "No ballot gets a better outcome by being false.", strategyproofness
)
