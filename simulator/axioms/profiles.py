"""Profiles that rules are put to the test on: random ones of many shapes, known bad cases, and all small ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, permutations, product

import numpy as np

from simulator.axioms.ballots import profile_of
from simulator.mediators.base import Need
from simulator.profile import Floats, Profile

ITEMS = "abcdefghijkl"
MOST_ITEMS = 5
MOST_BALLOTS = 7

Draw = Callable[[np.random.Generator, int, int], Floats]
"""`draw(random, n, m)` -> what n ballots think of m items, `(n, m)`, larger is better."""


@dataclass(frozen=True)
class Sample:
    """A profile with the size of the slate to ask for, and where it comes from."""

    family: str
    profile: Profile
    k: int


@lru_cache(maxsize=8)
def random_samples(kind: Need, count: int, seed: int) -> tuple[Sample, ...]:
    """Random profiles of up to 5 items and 7 ballots, the families of `DRAWS` in turn.

    Every third profile has weights other than 1 (0 among them), every fourth ties and every fifth gaps.

    Args:
        kind: what the ballots are made of.
        count: how many.
        seed: of all draws.
    """
    random = np.random.default_rng(seed)
    families = list(DRAWS.items())
    samples = []
    for number in range(count):
        family, draw = families[number % len(families)]
        m, n = int(random.integers(1, MOST_ITEMS + 1)), int(random.integers(1, MOST_BALLOTS + 1))
        values = draw(random, n, m)
        if number % 4 == 3:
            values = np.round(values * 2) / 2
        weights = np.ones(n)
        if number % 3 == 2:
            weights = random.choice([0.0, 0.5, 1.0, 2.0, 3.0, 7.0], size=n)
        rows = BALLOTS[kind](random, values, number % 5 == 4)
        k = int(random.integers(1, min(m, 3) + 1))
        samples.append(Sample(family, profile_of(kind, ITEMS[:m], rows, weights), k))
    return tuple(samples)


def worst_cases(kind: Need) -> Iterator[Sample]:
    """Profiles that rules are known to stumble over: nobody, nothing, one, all the same, cycles, clones, paradoxes."""
    nothing = {"ranking": -3.0, "approval": 0.0, "utility": 0.0}[kind]
    flat = np.full((2, 3), nothing)
    strict = np.array([[2.0, 1.0, 0.0]]) / 2
    yield Sample("no ballot", profile_of(kind, "abc", np.zeros((0, 3)), np.zeros(0)), 2)
    yield Sample("nothing said", profile_of(kind, "abc", flat, np.ones(2)), 2)
    yield Sample("no weight", profile_of(kind, "abc", np.repeat(strict, 2, axis=0), np.zeros(2)), 2)
    yield Sample("all tied", profile_of(kind, "abc", np.full((2, 3), 1.0 if kind != "ranking" else 0.0), np.ones(2)), 2)
    yield Sample("one item", profile_of(kind, "a", np.ones((2, 1)) - (kind == "ranking"), np.ones(2)), 1)
    for k, orders, weights in ORDERS:
        order_items = sorted(set("".join(orders)))
        ranks = np.array([[order.index(item) for item in order_items] for order in orders], dtype=np.float64)
        m = len(order_items)
        rows = {"ranking": -ranks, "approval": ranks < max(1, m // 2), "utility": (m - 1 - ranks) / (m - 1)}[kind]
        yield Sample("paradox", profile_of(kind, order_items, np.asarray(rows, dtype=np.float64), np.array(weights)), k)
    if kind == "approval":
        for k, sets, weights in APPROVED:
            names = sorted(set("".join(sets)))
            table = np.array([[item in approved for item in names] for approved in sets], dtype=np.float64)
            yield Sample("paradox", profile_of(kind, names, table, np.array(weights, dtype=np.float64)), k)


@lru_cache(maxsize=8)
def all_small(kind: Need, items: int = 3, ballots: int = 3) -> tuple[Sample, ...]:
    """Every profile of up to so many items and ballots of weight 1, one of those that differ in names and order alone.

    Rankings have ties and gaps; utilities are 0, 1/2 or 1. The size of the slate runs over 1..m - 1 in turn.
    """
    samples: list[Sample] = []
    for m in range(1, items + 1):
        rows = _all_ballots(kind, m)
        moves = [list(move) for move in permutations(range(m))]
        index = {tuple(row): place for place, row in enumerate(rows)}
        moved = [[index[tuple(row[i] for i in move)] for row in rows] for move in moves]
        for n in range(ballots + 1):
            for chosen in combinations_with_replacement(range(len(rows)), n):
                if any(tuple(sorted(table[place] for place in chosen)) < chosen for table in moved):
                    continue
                ballots_ = np.array([rows[place] for place in chosen]).reshape(n, m)
                k = 1 + len(samples) % max(1, m - 1)
                samples.append(Sample("all small ones", profile_of(kind, ITEMS[:m], ballots_, np.ones(n)), k))
    return tuple(samples)


def _all_ballots(kind: Need, m: int) -> list[tuple[float, ...]]:
    if kind == "approval":
        return list(product((0.0, 1.0), repeat=m))
    if kind == "utility":
        return list(product((0.0, 0.5, 1.0), repeat=m))
    found = []
    for row in product(range(m + 1), repeat=m):  # m stands for unranked
        tiers = sorted(set(row) - {m})
        if tiers == list(range(len(tiers))):
            found.append(tuple(-float(tier) for tier in row))
    return found


def _impartial(random: np.random.Generator, n: int, m: int) -> Floats:
    """Impartial culture: every order equally likely."""
    return random.random((n, m))


def _mallows(random: np.random.Generator, n: int, m: int) -> Floats:
    """Mallows: orders scatter around one, by repeated insertion with a dispersion of 0.3, 0.6 or 0.9."""
    phi = float(random.choice([0.3, 0.6, 0.9]))
    centre = random.permutation(m)
    rows = np.empty((n, m))
    for row in rows:
        order: list[int] = []
        for place in range(m):
            chances = phi ** np.arange(place, -1.0, -1.0)
            order.insert(int(random.choice(place + 1, p=chances / chances.sum())), int(centre[place]))
        row[order] = np.linspace(1.0, 0.0, m)
    return rows


def _spatial(random: np.random.Generator, n: int, m: int) -> Floats:
    """Ballots and items are points of a square; nearer is better."""
    voters, items = random.random((n, 1, 2)), random.random((1, m, 2))
    return np.asarray(1.0 - np.hypot(*np.moveaxis(voters - items, -1, 0)) / np.sqrt(2.0))


def _line(random: np.random.Generator, n: int, m: int) -> Floats:
    """Ballots and items are points of a line: single-peaked."""
    distances = np.abs(random.random((n, 1)) - random.random((1, m)))
    return np.asarray(1.0 - distances, dtype=np.float64)


def _cycle(random: np.random.Generator, n: int, m: int) -> Floats:
    """The rotations of one order: a Condorcet cycle, as far as there are ballots."""
    start = np.linspace(1.0, 0.0, m)[random.permutation(m)]
    return np.stack([np.roll(start, shift) for shift in range(n)])


def _clones(random: np.random.Generator, n: int, m: int) -> Floats:
    """The last items are neighbours in every ballot."""
    values = random.random((n, m))
    values[:, m // 2 :] = values[:, m // 2, None] + 1e-3 * random.random((n, m - m // 2))
    return np.minimum(values, 1.0)


def _camps(random: np.random.Generator, n: int, m: int) -> Floats:
    """Two camps with opposite orders."""
    order = random.random(m)
    return np.where(random.random((n, 1)) < 0.5, order, 1.0 - order)


def _blunt(random: np.random.Generator, n: int, m: int) -> Floats:
    """Many ties: three levels."""
    return np.asarray(random.integers(0, 3, size=(n, m)) / 2)


DRAWS: dict[str, Draw] = {
    "impartial culture": _impartial,
    "Mallows": _mallows,
    "spatial": _spatial,
    "single-peaked": _line,
    "cycles": _cycle,
    "clones": _clones,
    "two camps": _camps,
    "ties": _blunt,
}


def _rankings(random: np.random.Generator, values: Floats, gaps: bool) -> Floats:
    n, m = values.shape
    ranks = (values[:, None, :] > values[:, :, None]).sum(axis=2)
    kept = ranks < (random.integers(0, m + 1, size=(n, 1)) if gaps else m)
    return np.asarray(np.where(kept, -ranks, -m), dtype=np.float64)


def _approvals(random: np.random.Generator, values: Floats, gaps: bool) -> Floats:
    n, m = values.shape
    ranks = (values[:, None, :] > values[:, :, None]).sum(axis=2)
    return np.asarray(ranks < random.integers(0 if gaps else 1, m + 1, size=(n, 1)), dtype=np.float64)


def _utilities(random: np.random.Generator, values: Floats, gaps: bool) -> Floats:
    return np.where(random.random(values.shape) < 0.3, 0.0, values) if gaps else values


BALLOTS: dict[Need, Callable[[np.random.Generator, Floats, bool], Floats]] = {
    "ranking": _rankings,
    "approval": _approvals,
    "utility": _utilities,
}

# Strict orders with their weights, and the size of the slate.
ORDERS: Sequence[tuple[int, Sequence[str], Sequence[float]]] = (
    (1, ["abc"], [1]),
    (2, ["abc", "abc", "abc"], [1, 1, 1]),
    (2, ["abc", "cba"], [1, 1]),
    (2, ["abc", "cba"], [9, 1]),  # one ballot weighs more than all others
    (1, ["abc", "bca", "cab"], [1, 1, 1]),
    (2, ["abcd", "bcda", "cdab", "dabc"], [1, 1, 1, 1]),
    (1, ["abxy", "bxya", "xyab"], [3, 2, 2]),  # a cycle of a, b and the clones x, y
    # Condorcet's own example against scoring rules, 1785: 81 voters
    (1, ["abc", "acb", "bac", "bca", "cab", "cba"], [30, 1, 29, 10, 10, 1]),
    # raising a makes it lose under elimination of the lowest
    (1, ["abc", "bca", "bca", "cab"], [39, 25, 10, 26]),
    # two ballots abc make c win under elimination of the lowest, which they like least
    (1, ["abc", "abc", "bca", "cab"], [2, 2, 3, 4]),
    # H. Moulin, Condorcet's principle implies the no show paradox, 1988
    (1, ["adcb", "adbc", "dbca", "bcad", "cabd"], [3, 3, 5, 4, 4]),
    (1, ["adcb", "adbc", "dbca", "bcad", "cadb"], [3, 3, 5, 4, 4]),
)

# Approved items with their weights, and the size of the slate.
APPROVED: Sequence[tuple[int, Sequence[str], Sequence[float]]] = (
    (3, ["abc", "d"], [4, 2]),  # a majority takes every seat
    (2, ["ab", "c", "d"], [2, 1, 1]),
    (3, ["ab", "ac", "ad", "bc", "e"], [1, 1, 1, 1, 2]),
    # M. Lackner and P. Skowron, Multi-Winner Voting with Approval Preferences, 2023, proposition A.3: the last ballot
    # makes things worse for itself under sequential Phragmen, sequential PAV and equal shares
    (3, ["ab", "c", "d", "abc", "cd", "ab"], [10, 3, 12, 21, 6, 1]),
    (4, ["abd", "abe", "acd", "ace", "cd"], [7, 4, 3, 5, 1]),
    (3, ["bd", "ab", "bde", "ae", "cde", "ce", "cde", "ace", "bcd", "a"], [1] * 10),
    # H. Aziz et al., Justified representation in approval-based committee voting, 2017: sequential PAV without JR
    (
        10,
        ["ab", "ac", "b", "c", "de", "df", "e", "f", "gh", "gi", "gj", "h", "i", "j", "k"],
        [81, 81, 80, 80, 81, 81, 80, 80, 49, 49, 49, 96, 96, 96, 120],
    ),
)
