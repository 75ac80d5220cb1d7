"""A counterexample made small: every ballot, item, weight and tie in it is needed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from simulator.axioms.ballots import kind_of, opinions, part_of, profile_of, with_ballot, with_weights
from simulator.axioms.base import Axiom
from simulator.axioms.counterexample import Counterexample
from simulator.axioms.subject import Subject
from simulator.profile import Profile

MOST_TRIED = 1500


def shrunk(axiom: Axiom, subject: Subject, found: Counterexample, profile: Profile, k: int) -> Counterexample:
    """The first counterexample that none of `simpler` makes simpler; the same for the same input.

    Args:
        axiom: what is broken.
        subject: the rule.
        found: a counterexample.
        profile: the profile that it was found on.
        k: the size of the slate.
    """
    tried = 0
    while tried < MOST_TRIED:
        for profile_, k_ in simpler(profile, k):
            tried += 1
            better = axiom.search(subject, profile_, k_, None)
            if better is not None:
                found, profile, k = better, profile_, k_
                break
            if tried >= MOST_TRIED:
                break
        else:
            return found
    return found


def simpler(profile: Profile, k: int) -> Iterator[tuple[Profile, int]]:
    """Profiles that are simpler by one step.

    A ballot less, an item less, a smaller slate, a smaller or whole weight, ties or gaps less, rounder utilities.
    """
    n, m = profile.n, profile.m
    for voter in range(n):
        yield part_of(profile, [other for other in range(n) if other != voter]), k
    for item in range(m if m > 1 else 0):
        kept = [other for other in range(m) if other != item]
        yield part_of(profile, range(n), kept), min(k, m - 1)
    if k > 1:
        yield profile, k - 1
    for fewer in (np.minimum(profile.weights, 1.0), np.ceil(profile.weights / 2)):
        if (fewer < profile.weights).any():
            yield with_weights(profile, fewer), k
    for voter, weight in enumerate(profile.weights.tolist()):
        for smaller in dict.fromkeys((1.0, float(weight // 2), float(np.ceil(weight) - 1))):
            if (0 < smaller < weight) or (0 < weight < 1 == smaller):
                weights = np.array(profile.weights)
                weights[voter] = smaller
                yield with_weights(profile, weights), k
    for voter in range(n):
        yield from ((changed, k) for changed in _plainer(profile, voter))


def _plainer(profile: Profile, voter: int) -> Iterator[Profile]:
    """One ballot said more simply."""
    row = opinions(profile)[voter]
    m = profile.m
    kind = kind_of(profile)
    if kind == "approval":
        for item in np.flatnonzero(row).tolist():
            fewer = row.copy()
            fewer[item] = 0.0
            yield with_ballot(profile, voter, fewer)
    elif kind == "utility":
        for item in range(m):
            for rounder in (0.0, 1.0, round(float(row[item]), 1)):
                if rounder != row[item] and not (row[item] in (0.0, 1.0) and rounder in (0.0, 1.0)):
                    other = row.copy()
                    other[item] = rounder
                    yield with_ballot(profile, voter, other)
    else:
        strict = np.lexsort((np.arange(m), -row))  # ties in item order, then what is left out
        whole = np.empty(m)
        whole[strict] = -np.arange(m, dtype=np.float64)
        again = profile_of("ranking", profile.items, np.where(row > -m, row, 1.0 - m)[None], np.ones(1))
        ranked = -again.ranks[0].astype(np.float64)  # what is left out, as the last tier
        for other in (whole, ranked):
            if not np.array_equal(other, row) and not (other is ranked and not (row == -m).any()):
                yield with_ballot(profile, voter, other)
