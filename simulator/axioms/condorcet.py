"""Condorcet's two criteria: who beats all others wins, who loses to all others does not."""

from __future__ import annotations

import numpy as np

from simulator.axioms.ballots import cast, opinions
from simulator.axioms.base import Axiom
from simulator.axioms.counterexample import Counterexample
from simulator.axioms.subject import Subject, winners
from simulator.outcome import TOLERANCE
from simulator.profile import Bools, Profile


def condorcet_consistency(subject: Subject, profile: Profile, k: int, most: int | None = None) -> Counterexample | None:
    """An item that more weight prefers to every other item than the other way round is the only winner.

    Source: J.-A.-N. de Caritat de Condorcet, Essai sur l'application de l'analyse, 1785.
    """
    beats = _beats(profile)
    best = np.flatnonzero(beats.sum(axis=1) == profile.m - 1)
    if profile.m < 2 or not len(best):
        return None
    outcome = subject.outcome(profile, 1)
    if not outcome.complete or winners(outcome) == (best[0],):
        return None
    sentence = f"{profile.items[best[0]]} beats every other item by majority but is not the only winner."
    return Counterexample("condorcet", 1, profile, outcome, sentence)


def condorcet_loser(subject: Subject, profile: Profile, k: int, most: int | None = None) -> Counterexample | None:
    """An item that loses to every other item by majority does not win.

    Source: P. C. Fishburn, Condorcet social choice functions, 1977.
    """
    beats = _beats(profile)
    worst = np.flatnonzero(beats.sum(axis=0) == profile.m - 1)
    if profile.m < 2 or not len(worst):
        return None
    outcome = subject.outcome(profile, 1)
    if not outcome.complete or worst[0] not in winners(outcome):
        return None
    sentence = f"{profile.items[worst[0]]} loses to every other item by majority and still wins."
    return Counterexample("condorcet loser", 1, profile, outcome, sentence)


def _beats(profile: Profile) -> Bools:
    """Whether the row item beats the column item by majority, `(m, m)`."""
    values = opinions(profile)[cast(profile)]
    weights = profile.weights[cast(profile)]
    above = values[:, :, None] > values[:, None, :]
    support = (weights[:, None, None] * above).sum(axis=0)
    return np.asarray(support - support.T > TOLERANCE * weights.sum())


CONDORCET = Axiom(
    "condorcet",
    "property",
    "An item that beats every other one by majority is the only winner.",
    condorcet_consistency,
)
CONDORCET_LOSER = Axiom(
    "condorcet loser", "informative", "An item that loses to every other one by majority does not win.", condorcet_loser
)
