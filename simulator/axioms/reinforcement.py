"""Reinforcement: what two electorates both choose, they choose together."""

from __future__ import annotations

from simulator.axioms.ballots import part_of
from simulator.axioms.base import Axiom, picked
from simulator.axioms.counterexample import Counterexample
from simulator.axioms.subject import Subject
from simulator.profile import Profile


def reinforcement(subject: Subject, profile: Profile, k: int, most: int | None = None) -> Counterexample | None:
    """If the ballots are cut in two and both parts have winners in common, exactly these win among all ballots.

    Rules that choose slates are asked for slates of size k. Ballots are cut between neighbours. Lotteries are left out.

    Source: H. P. Young, Social choice scoring functions, 1975.
    """
    if subject.mediator.lottery:
        return None
    size = k if subject.outcome(profile, k).tied_slates is not None else 1
    whole = subject.choices(profile, size)
    if whole is None:
        return None
    for cut in picked(range(1, profile.n), most, profile):
        parts = [part_of(profile, range(cut)), part_of(profile, range(cut, profile.n))]
        one, other = (subject.choices(part, size) for part in parts)
        if one is None or other is None or not one & other or one & other == whole:
            continue
        sentence = (
            f"Ballots 1 to {cut} and the rest have winners in common when they vote apart, but together others win "
            "(changed: the first part)."
        )
        outcome, apart = subject.outcome(profile, size), subject.outcome(parts[0], size)
        return Counterexample("reinforcing", size, profile, outcome, sentence, parts[0], apart)
    return None


REINFORCEMENT = Axiom(
    "reinforcing", "informative", "What two electorates both choose is what they choose together.", reinforcement
)
