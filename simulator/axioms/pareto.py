"""Pareto efficiency: nothing wins that everybody would exchange for something else."""

from __future__ import annotations

import numpy as np

from simulator.axioms.ballots import cast, opinions
from simulator.axioms.base import Axiom
from simulator.axioms.counterexample import Counterexample
from simulator.axioms.subject import Subject
from simulator.profile import Profile


def pareto(subject: Subject, profile: Profile, k: int, most: int | None = None) -> Counterexample | None:
    """No winner has another item that every ballot thinks at least as good, and some ballot with weight better.

    Of slates: none holds such an item without the one that is better.

    Source: K. J. Arrow, Social Choice and Individual Values, 1951 (here in the strong form).
    """
    values = opinions(profile)[cast(profile)]
    if not len(values):
        return None
    no_worse = np.all(values[:, :, None] >= values[:, None, :], axis=0)
    better = np.asarray(no_worse & np.any(values[:, :, None] > values[:, None, :], axis=0))
    if not better.any():
        return None
    size = k if subject.outcome(profile, k).tied_slates is not None else 1
    for choice in sorted(subject.choices(profile, size) or (), key=sorted):
        for worse in sorted(choice):
            instead = [item for item in np.flatnonzero(better[:, worse]).tolist() if item not in choice]
            if instead:
                one, other = profile.items[instead[0]], profile.items[worse]
                what = "wins" if size == 1 else "is in a winning slate without it"
                sentence = f"Every ballot puts {one} at least as high as {other}, and some higher, but {other} {what}."
                return Counterexample("pareto", size, profile, subject.outcome(profile, size), sentence)
    return None


PARETO = Axiom("pareto", "property", "No winner is worse for a ballot and better for none than another item.", pareto)
