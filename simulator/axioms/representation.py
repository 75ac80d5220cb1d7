"""Justified representation: large groups that agree get their share of every winning slate."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from simulator.axioms.ballots import cast
from simulator.axioms.base import Axiom, Search
from simulator.axioms.counterexample import Counterexample, named
from simulator.axioms.subject import Subject
from simulator.metrics.justified_representation import satisfies_ejr, satisfies_jr, satisfies_pjr
from simulator.profile import Bools, Floats, Profile

Holds = Callable[[Bools, list[int], Floats], bool]


def represents(name: str, words: str, holds: Holds) -> Search:
    """The search for a slate that breaks one of the axioms.

    Every winning slate of size k is asked, on ballots that approve. Abstentions do not count as voters.

    Sources: H. Aziz et al., Justified representation in approval-based committee voting, 2017; L. Sanchez-Fernandez et
    al., Proportional justified representation, 2017.
    """

    def search(subject: Subject, profile: Profile, k: int, most: int | None = None) -> Counterexample | None:
        if profile.approvals is None or not cast(profile).any():
            return None
        approved = profile.approvals[cast(profile)]
        weights = profile.weights[cast(profile)]
        nobody = np.zeros((len(approved), k), dtype=np.bool_)  # what fills places that a rule leaves empty
        padded = np.concatenate([approved, nobody], axis=1)
        for slate in sorted(subject.choices(profile, k) or (), key=sorted):
            if not holds(padded, [*sorted(slate), *range(profile.m, profile.m + k - len(slate))], weights):
                shown = named(profile.items, sorted(slate))
                sentence = f"Under the winning slate {{{shown}}}, {words}."
                return Counterexample(name, k, profile, subject.outcome(profile, k), sentence)
        return None

    return search


JR = Axiom(
    "jr",
    "property",
    "n / k of the weight that approves one item in common has an approved item in every slate.",
    represents(
        "jr", "n / k of the weight approves an item in common and nobody there gets an approved item", satisfies_jr
    ),
    only_on="approval",
)
PJR = Axiom(
    "pjr",
    "property",
    "l n / k of the weight that approves l items in common has l approved items in every slate.",
    represents(
        "pjr",
        "l n / k of the weight approves l items in common but together gets fewer than l, for some l",
        satisfies_pjr,
    ),
    only_on="approval",
)
EJR = Axiom(
    "ejr",
    "property",
    "Somebody in l n / k of the weight that approves l items in common has l approved items in every slate.",
    represents(
        "ejr",
        "l n / k of the weight approves l items in common and nobody there gets l of them, for some l",
        satisfies_ejr,
    ),
    only_on="approval",
)
