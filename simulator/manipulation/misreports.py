"""The misreports that the literature names, made from an honest ballot, many at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from simulator.profile import Bools, Floats, Ints, dense_ranks

MOST_PERMUTED = 6


@dataclass(frozen=True)
class Ballots:
    """Ballots that one voter could cast.

    Attributes:
        kinds: what each of them is, as words with places for names, and the items that belong there.
        ranks: `(c, m)` tiers, as in a profile.
        utilities: `(c, m)` declared utilities in [0, 1], for rules that read them.
    """

    kinds: tuple[tuple[str, tuple[int, ...]], ...]
    ranks: Ints
    utilities: Floats

    def __len__(self) -> int:
        return len(self.kinds)

    def words(self, place: int, items: Sequence[str]) -> str:
        """What one of the ballots is, in words, such as `burying Rome`."""
        kind, named = self.kinds[place]
        return kind.format(*(items[item] for item in named))

    def and_(self, other: Ballots) -> Ballots:
        """Both, these first."""
        return Ballots(
            self.kinds + other.kinds,
            np.concatenate([self.ranks, other.ranks]),
            np.concatenate([self.utilities, other.utilities]),
        )


def honest(utilities: Floats) -> Ballots:
    """The ballot that says what the voter thinks, alone; utilities `(m,)`."""
    return Ballots((("honest", ()),), dense_ranks(utilities)[None], utilities[None].copy())


def compromises(utilities: Floats) -> Ballots:
    """Every item raised above all others."""
    m = len(utilities)
    return _changed("compromise on {}", utilities, np.eye(m, dtype=np.bool_), 1.0, 2.0)


def burials(utilities: Floats) -> Ballots:
    """Every item sunk below all others."""
    m = len(utilities)
    return _changed("burying {}", utilities, np.eye(m, dtype=np.bool_), 0.0, -1.0)


def pushes(utilities: Floats) -> Ballots:
    """Every item raised above all others while another is sunk below them: compromise and burying together."""
    m = len(utilities)
    raised, sunk = (places[~np.eye(m, dtype=np.bool_)] for places in np.indices((m, m)))
    rows = np.arange(len(raised))
    declared, keys = np.tile(utilities, (len(rows), 1)), np.tile(utilities, (len(rows), 1))
    declared[rows, raised], keys[rows, raised] = 1.0, 2.0
    declared[rows, sunk], keys[rows, sunk] = 0.0, -1.0
    pairs = zip(raised.tolist(), sunk.tolist(), strict=True)
    kinds = tuple(("raising {} and burying {}", pair) for pair in pairs)
    return Ballots(kinds, dense_ranks(keys), declared)


def truncations(utilities: Floats) -> Ballots:
    """Only the best t tiers ranked, for every t below their number; what is not ranked is worth 0."""
    ranks, m = dense_ranks(utilities), len(utilities)
    depths = np.arange(1, ranks.max(initial=0) + 1)
    kept = ranks < depths[:, None]
    return Ballots(
        tuple((f"truncation after tier {depth}", ()) for depth in depths.tolist()),
        np.where(kept, ranks, m),
        np.where(kept, utilities, 0.0),
    )


def exaggerations(utilities: Floats) -> Ballots:
    """The best t items worth 1 and all others 0, for every t; the order inside both parts stays."""
    ranks = dense_ranks(utilities)
    depths = np.arange(1, ranks.max(initial=0) + 1)
    kept = ranks < depths[:, None]
    kinds = tuple((f"exaggeration of the best {depth} tiers", ()) for depth in depths.tolist())
    return Ballots(kinds, np.broadcast_to(ranks, kept.shape).copy(), kept.astype(np.float64))


def orders(m: int) -> Ballots:
    """All strict orders of at most `MOST_PERMUTED` items."""
    ranks = np.array(list(permutations(range(m))), dtype=np.int64)
    return Ballots((("another order", ()),) * len(ranks), ranks, _spread(ranks))


def moves(ranks: Ints) -> Ballots:
    """Every ballot that differs from a strict order `(m,)` by moving one item to another place."""
    m = len(ranks)
    order = np.argsort(ranks, kind="stable")
    start, end = (places.ravel() for places in np.indices((m, m)))
    wanted = (start != end) & (end != start - 1)  # neighbours swap once
    start, end = start[wanted], end[wanted]
    places = np.tile(np.arange(m, dtype=np.float64), (len(start), 1))
    places[np.arange(len(start)), start] = np.where(end > start, end + 0.5, end - 0.5)
    moved = order[np.argsort(places, axis=1, kind="stable")]
    made = np.empty_like(moved)
    np.put_along_axis(made, moved, np.broadcast_to(np.arange(m), moved.shape), axis=1)
    return Ballots((("another order", ()),) * len(made), made, _spread(made))


def _changed(kind: str, utilities: Floats, which: Bools, value: float, key: float) -> Ballots:
    declared = np.where(which, value, utilities)
    keys = np.where(which, key, utilities)
    return Ballots(tuple((kind, (item,)) for item in range(len(which))), dense_ranks(keys), declared)


def _spread(ranks: Ints) -> Floats:
    m = ranks.shape[-1]
    return np.asarray((m - 1 - ranks) / max(m - 1, 1), dtype=np.float64)
