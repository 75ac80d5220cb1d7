"""Anonymity: it does not matter whose ballot it is."""

from __future__ import annotations

from simulator.axioms.ballots import part_of
from simulator.axioms.base import Axiom, picked
from simulator.axioms.counterexample import Counterexample
from simulator.axioms.sameness import difference
from simulator.axioms.subject import Subject
from simulator.profile import Profile


def anonymity(subject: Subject, profile: Profile, k: int, most: int | None = None) -> Counterexample | None:
    """The same ballots in another order decide the same.

    All exchanges of neighbours and the reversal are looked at; every order is a chain of such exchanges.

    Source: K. O. May, A set of independent necessary and sufficient conditions for simple majority decision, 1952.
    """
    before = subject.outcome(profile, k)
    n = profile.n
    orders = [list(range(n))[::-1]]
    for voter in range(n - 1):
        order = list(range(n))
        order[voter], order[voter + 1] = voter + 1, voter
        orders.append(order)
    for order in picked(orders if n > 1 else [], most, profile):
        shuffled = part_of(profile, order)
        after = subject.outcome(shuffled, k)
        if what := difference(subject, before, after):
            sentence = f"The same ballots in another order: {what}."
            return Counterexample("anonymous", k, profile, before, sentence, shuffled, after)
    return None


ANONYMITY = Axiom("anonymous", "property", "The order of the ballots does not matter.", anonymity, any_ballots=True)
