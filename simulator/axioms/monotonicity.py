"""Monotonicity: more support does no harm."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from simulator.axioms.ballots import lifts, with_ballot
from simulator.axioms.base import Axiom, picked
from simulator.axioms.counterexample import Counterexample
from simulator.axioms.subject import Subject
from simulator.profile import Floats, Profile


def monotonicity(subject: Subject, profile: Profile, k: int, most: int | None = None) -> Counterexample | None:
    """A winner (an item of some winning slate) that one ballot raises, the others' order kept, still is one.

    Rules that rank items are asked for winners, rules that choose slates for slates of size k (candidate monotonicity).
    An approval ballot raises an item by approving it too, a utility ballot by giving it more. A lottery must not give
    the item a smaller chance.

    Sources: P. C. Fishburn, Monotonicity paradoxes in the theory of elections, 1982; for slates: L. Sanchez-Fernandez
    and J. A. Fisteus, Monotonicity axioms in approval-based multi-winner voting rules, 2019.
    """
    size = k if subject.outcome(profile, k).tied_slates is not None else 1
    before = subject.choices(profile, size)
    if before is None:
        return None
    inside = sorted(frozenset().union(*before))
    for voter, item, row in picked(_changes(profile, inside), most, profile):
        changed = with_ballot(profile, voter, row)
        after = subject.choices(changed, size)
        if after is None:
            continue
        one, other = subject.outcome(profile, size), subject.outcome(changed, size)
        name = profile.items[item]
        if subject.mediator.lottery and one.score_values is not None and other.score_values is not None:
            lost = other.score_values[item] < one.score_values[item] - 1e-9
            what = f"lowers its chance from {one.score_values[item]:.4g} to {other.score_values[item]:.4g}"
        else:
            lost = not any(item in slate for slate in after)
            what = "makes it lose" if size == 1 else "takes it out of every winning slate"
        if lost:
            sentence = f"Raising {name} in ballot {voter + 1} {what}."
            return Counterexample("monotone", size, profile, one, sentence, changed, other)
    return None


def _changes(profile: Profile, items: list[int]) -> Iterator[tuple[int, int, Floats]]:
    for voter in np.flatnonzero(profile.weights > 0).tolist():
        for item in items:
            for row in lifts(profile, voter, item):
                yield voter, item, row


MONOTONICITY = Axiom("monotone", "property", "A winner that a ballot raises stays a winner.", monotonicity)
