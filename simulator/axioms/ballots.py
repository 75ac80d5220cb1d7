"""What ballots say, whatever their kind, and the ballots that a voter could have cast instead."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations, product

import numpy as np

from simulator.mediators.base import Need
from simulator.profile import Bools, Floats, Ints, Profile, dense_ranks

MOST_MISREPORTS = 60


def kind_of(profile: Profile) -> Need:
    """What the ballots are made of: utilities if they have any, else approvals, else rankings."""
    if profile.utilities is not None:
        return "utility"
    return "ranking" if profile.approvals is None else "approval"


def opinions(profile: Profile) -> Floats:
    """What each ballot thinks of each item, `(n, m)`, larger is better: utilities, approvals as 0 and 1, or -rank."""
    if profile.utilities is not None:
        return profile.utilities
    return -profile.ranks.astype(np.float64) if profile.approvals is None else profile.approvals.astype(np.float64)


def cast(profile: Profile) -> Bools:
    """Which ballots `(n,)` have weight and say anything."""
    return np.asarray((profile.weights > 0) & (profile.ranks < profile.m).any(axis=-1))


def profile_of(kind: Need, items: Sequence[str], rows: Floats, weights: Floats) -> Profile:
    """The profile whose ballots say `rows` `(n, m)` as `opinions` has it; nobody can write into its arrays.

    A ranking's unranked items are those at -m.
    """
    n, m = len(weights), len(items)
    table = np.array(rows, dtype=np.float64).reshape(n, m)
    weights = np.array(weights, dtype=np.float64)
    approvals = utilities = None
    if kind == "utility":
        utilities, ranks = table, dense_ranks(table)
    elif kind == "approval":
        approvals = table > 0
        ranks = np.where(approvals, 0, m)
    else:
        ranks = np.where(table > -m, dense_ranks(table), m)
    return _sealed(Profile(tuple(items), ranks, weights, utilities, approvals))


def with_ballot(profile: Profile, voter: int, row: Floats) -> Profile:
    """The same profile with another ballot of one voter."""
    rows = np.array(opinions(profile))
    rows[voter] = row
    return profile_of(kind_of(profile), profile.items, rows, profile.weights)


def part_of(profile: Profile, voters: Sequence[int] | Ints, items: Sequence[int] | Ints | None = None) -> Profile:
    """The ballots of some voters, in this order, on some of the items, in this order."""
    chosen = np.asarray(voters, dtype=np.int64)
    kept = np.arange(profile.m) if items is None else np.asarray(items, dtype=np.int64)
    names = tuple(profile.items[i] for i in kept.tolist())
    if len(kept) == profile.m:  # nothing closes up
        cells = np.ix_(chosen, kept)
        utilities = None if profile.utilities is None else profile.utilities[cells]
        approvals = None if profile.approvals is None else profile.approvals[cells]
        return _sealed(Profile(names, profile.ranks[cells], profile.weights[chosen], utilities, approvals))
    rows = opinions(profile)[chosen][:, kept]
    if kind_of(profile) == "ranking":
        rows = np.where(rows == -profile.m, -len(kept), rows / profile.m)
    return profile_of(kind_of(profile), names, rows, profile.weights[chosen])


def with_weights(profile: Profile, weights: Floats) -> Profile:
    """The same ballots with other weights."""
    own = np.array(weights, dtype=np.float64)
    own.flags.writeable = False
    return Profile(profile.items, profile.ranks, own, profile.utilities, profile.approvals)


def _sealed(profile: Profile) -> Profile:
    """The profile, into whose arrays nobody can write any more."""
    for part in (profile.ranks, profile.weights, profile.utilities, profile.approvals):
        if part is not None:
            part.flags.writeable = False
    return profile


def lifts(profile: Profile, voter: int, item: int) -> list[Floats]:
    """The ballots that differ from one voter's in that they think better of one item: by one step, and by most.

    Every way to raise an item in rankings is a chain of single steps: level with the items next above, then above them.
    """
    row = opinions(profile)[voter]
    kind = kind_of(profile)
    if kind == "approval":
        return [] if row[item] else [_changed(row, item, 1.0)]
    above = row[row > row[item]]
    raised = [above.min(), above.max()] if len(above) else []
    if kind == "ranking":
        tied = np.count_nonzero(row == row[item]) > 1
        raised += [row[item] + 0.5] if tied else []
        raised += [0.5] if len(above) else []
    elif row[item] < 1.0:
        raised += [1.0]
    return [_changed(row, item, value) for value in dict.fromkeys(float(value) for value in raised)]


def misreports(profile: Profile, voter: int) -> list[Floats]:
    """The ballots that a voter might cast instead of its own, at most `MOST_MISREPORTS` of them, evenly chosen.

    All strict orders and all ways to name only a first tier; all sets of approved items; all utilities of 0 and 1.
    """
    m = profile.m
    row = opinions(profile)[voter]
    if kind_of(profile) == "ranking":
        orders = [-np.array(order, dtype=np.float64) for order in permutations(range(m))] if m <= 5 else _swaps(row)
        tops = [np.where(np.isin(np.arange(m), top), 0.0, -m) for top in _subsets(m)]
        others = [*orders, *tops]
    else:
        others = [np.array(bits, dtype=np.float64) for bits in product((0.0, 1.0), repeat=min(m, 8))] if m <= 8 else []
    found = [other for other in others if not np.array_equal(other, row)]
    step = max(1, -(-len(found) // MOST_MISREPORTS))
    return found[::step]


def _subsets(m: int) -> list[tuple[int, ...]]:
    return [top for size in (1, 2) for top in combinations(range(m), size) if size < m]


def _swaps(row: Floats) -> list[Floats]:
    found = []
    for one, other in combinations(range(len(row)), 2):
        swapped = row.copy()
        swapped[[one, other]] = swapped[[other, one]]
        found.append(swapped)
    return found


def _changed(row: Floats, item: int, value: float) -> Floats:
    other = row.copy()
    other[item] = value
    return other
