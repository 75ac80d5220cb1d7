"""Random elections, small enough that ties are frequent, as this library and its peers want to be given them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulator.profile import Profile

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Election:
    """Ballots on the items 0, 1, ...

    Attributes:
        ranks: tiers `(n, m)` from 0 without gaps, unranked items hold m.
        weights: `(n,)` whole numbers.
    """

    ranks: Ints
    weights: Ints

    @property
    def items(self) -> list[int]:
        """The items' numbers."""
        return list(range(self.ranks.shape[1]))

    @property
    def profile(self) -> Profile:
        """The same for the mediators."""
        return Profile(tuple(map(str, self.items)), self.ranks, self.weights.astype(np.float64))

    @property
    def orders(self) -> list[list[int]]:
        """Strict ballots as lists of items, best first, unranked ones left out."""
        m = self.ranks.shape[1]
        return [[item for item in np.argsort(row, kind="stable").tolist() if row[item] < m] for row in self.ranks]

    @property
    def tiers(self) -> list[dict[int, int]]:
        """Ballots as the tier of every ranked item, from 1."""
        m = self.ranks.shape[1]
        return [{item: tier + 1 for item, tier in enumerate(row) if tier < m} for row in self.ranks.tolist()]


def strict(
    count: int, *, seed: int, items: tuple[int, int] = (2, 5), ballots: tuple[int, int] = (1, 9)
) -> Iterator[Election]:
    """Ballots that rank all items without ties: half of the elections uniformly, half around one common order."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        n, m = int(rng.integers(*ballots, endpoint=True)), int(rng.integers(*items, endpoint=True))
        noise = rng.random((n, m))
        ranks = np.argsort(np.argsort(noise + (number % 2) * np.arange(m) / m, axis=1), axis=1)
        yield Election(ranks, _weights(rng, n, number))


def truncated(count: int, *, seed: int, least: int = 1) -> Iterator[Election]:
    """The same, but ballots end early; every one ranks at least so many items."""
    rng = np.random.default_rng(seed)
    for election in strict(count, seed=seed, items=(max(2, least), 5)):
        n, m = election.ranks.shape
        lengths = rng.integers(least, m, size=(n, 1), endpoint=True)
        yield Election(np.where(election.ranks < lengths, election.ranks, m), election.weights)


def weak(count: int, *, seed: int) -> Iterator[Election]:
    """Ballots with ties, of which two thirds end early."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        n, m = int(rng.integers(1, 9)), int(rng.integers(2, 6))
        raw = rng.integers(0, m, (n, m))
        dense = np.array([np.unique(row, return_inverse=True)[1] for row in raw])
        depth = dense.max(axis=1, keepdims=True) + (0 if number % 3 else 1)
        yield Election(np.where(dense < np.maximum(depth, 1), dense, m), _weights(rng, n, number))


def approvals(count: int, *, seed: int, items: int = 6, ballots: int = 8) -> Iterator[tuple[NDArray[np.bool_], int]]:
    """Approvals `(n, m)`, none empty, and a number of seats; on every other election ballots come in parties."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        n, m = int(rng.integers(2, ballots, endpoint=True)), int(rng.integers(2, items, endpoint=True))
        matrix = rng.random((n, m)) < rng.choice([0.25, 0.4, 0.6])
        if number % 2:
            matrix = matrix[rng.integers(0, max(1, n // 2), n)]
        matrix[np.arange(n), rng.integers(0, m, n)] = True
        yield matrix, int(rng.integers(1, m, endpoint=True))


def _weights(rng: np.random.Generator, n: int, number: int) -> Ints:
    """Ones on every other election."""
    return rng.integers(1, 4, n) if number % 2 else np.ones(n, dtype=np.int64)
