"""Participation: nobody does better by staying at home."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from simulator.axioms.ballots import cast, kind_of, opinions, part_of
from simulator.axioms.base import Axiom, picked
from simulator.axioms.counterexample import Counterexample
from simulator.axioms.dominance import chance_lost, worths
from simulator.axioms.subject import Choices, Subject
from simulator.profile import Floats, Profile

Harm = Callable[[Floats, Choices, Choices], bool]  # (opinion, choices without the ballot, choices with it)


def participation(subject: Subject, profile: Profile, k: int, most: int | None = None) -> Counterexample | None:
    """If a wins and b does not, a further ballot that puts a above b does not make b win.

    Of slates (where ballots approve or value items, so that a slate's worth is a sum), a and b are slates. A lottery
    must not lower the ballot's chance of one of its own t best items, for any t.

    Sources: P. C. Fishburn and S. J. Brams, Paradoxes of preferential voting, 1983; H. Moulin, Condorcet's principle
    implies the no show paradox, 1988; for lotteries: F. Brandl, F. Brandt and J. Hofbauer, Incentives for participation
    and abstention in probabilistic social choice, 2015.
    """
    return _search("participation", _makes_worse_win, subject, profile, k, most)


def optimists_participation(
    subject: Subject, profile: Profile, k: int, most: int | None = None
) -> Counterexample | None:
    """A further ballot makes neither the best of the tied winners worse for it, nor the worst of them.

    Source: J. L. Jimeno, J. Perez and E. Garcia, An extension of the Moulin no show paradox for voting correspondences,
    2009.
    """
    return _search("optimists' participation", _lowers_best_or_worst, subject, profile, k, most)


def _search(
    name: str, harms: Harm, subject: Subject, profile: Profile, k: int, most: int | None
) -> Counterexample | None:
    size = k if kind_of(profile) != "ranking" and subject.outcome(profile, k).tied_slates is not None else 1
    choices = subject.choices(profile, size)
    if choices is None:
        return None
    present = subject.outcome(profile, size)
    for voter in picked(np.flatnonzero(cast(profile)).tolist(), most, profile):
        absent = part_of(profile, [other for other in range(profile.n) if other != voter])
        before = subject.choices(absent, size)
        if before is None:
            continue
        outcome = subject.outcome(absent, size)
        opinion = opinions(profile)[voter]
        what = None
        if subject.mediator.lottery:
            if present.score_values is not None and outcome.score_values is not None:
                lost = chance_lost(opinion, present.score_values, outcome.score_values)
                what = lost and f"its chance of one of its {lost[0]} best items is {lost[1]:.4g}, else {lost[2]:.4g}"
        elif harms(opinion, before, choices):
            what = "it does worse than without taking part"
        if what:
            sentence = f"If ballot {voter + 1} is cast too, {what}; the first profile is the one without it."
            return Counterexample(name, size, absent, outcome, sentence, profile, present)
    return None


def _makes_worse_win(opinion: Floats, before: Choices, after: Choices) -> bool:
    new = after - before
    return bool(new) and min(worths(opinion, new)) < max(worths(opinion, before)) - 1e-9


def _lowers_best_or_worst(opinion: Floats, before: Choices, after: Choices) -> bool:
    old, new = worths(opinion, before), worths(opinion, after)
    return max(new) < max(old) - 1e-9 or min(new) < min(old) - 1e-9


PARTICIPATION = Axiom(
    "participation", "property", "A further ballot makes nothing win that it likes less than a winner.", participation
)
OPTIMISTS_PARTICIPATION = Axiom(
    "optimists' participation",
    "informative",
    "A further ballot makes neither the best nor the worst of the winners worse for it.",
    optimists_participation,
)
