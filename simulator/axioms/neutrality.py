"""Neutrality: no item is treated otherwise for its name or place."""

from __future__ import annotations

from dataclasses import replace

from simulator.axioms.ballots import part_of
from simulator.axioms.base import Axiom, picked
from simulator.axioms.counterexample import Counterexample
from simulator.axioms.sameness import difference
from simulator.axioms.subject import Subject
from simulator.profile import Profile


def neutrality(subject: Subject, profile: Profile, k: int, most: int | None = None) -> Counterexample | None:
    """The same ballots with the items' names exchanged decide the same, with the names exchanged.

    Names keep their places in the item order, so a rule that goes by either is found. All exchanges of neighbours and
    the reversal are looked at.

    Source: K. O. May, A set of independent necessary and sufficient conditions for simple majority decision, 1952.
    """
    before = subject.outcome(profile, k)
    m = profile.m
    orders = [list(range(m))[::-1]]
    for item in range(m - 1):
        order = list(range(m))
        order[item], order[item + 1] = item + 1, item
        orders.append(order)
    for order in picked(orders if m > 1 else [], most, profile):
        moved = replace(part_of(profile, range(profile.n), order), items=profile.items)
        after = subject.outcome(moved, k)
        if what := difference(subject, before, after, order):
            sentence = f"With the items' names exchanged, and exchanged back in the outcome: {what}."
            return Counterexample("neutral", k, profile, before, sentence, moved, after)
    return None


NEUTRALITY = Axiom(
    "neutral", "property", "Items that change places change places in the outcome.", neutrality, any_ballots=True
)
