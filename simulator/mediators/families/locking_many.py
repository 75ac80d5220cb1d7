"""Ranked pairs on many profiles side by side: each takes its strongest majority, then its next one, and so on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulator.mediators.families.locking import MOST_IN_CYCLES
from simulator.mediators.families.pairwise import Matrix
from simulator.mediators.families.paths import strongest_paths
from simulator.profile import Bools

_WORD = 64


@dataclass(frozen=True, slots=True)
class LockedOnce:
    """What is locked in with ties broken by item order.

    Attributes:
        above: `(b, m, m)`, whether the row item stands above the column item.
        open: `(b,)`, whether other results are possible and may be few enough for `lock_in_every_order`.
    """

    above: Bools
    open: Bools


def lock_many(strength: Matrix) -> LockedOnce:
    """Lock in the majorities of profiles `(b, m, m)`, the strongest first, ties by upper and then by lower item.

    What an item reaches is a row of bits, so that linking two items is an operation on words.
    """
    b, m, _ = strength.shape
    words = -(-m // _WORD)
    flat = strength.reshape(b, m * m)
    most = int(np.count_nonzero(flat, axis=1).max(initial=0))
    pairs = np.argsort(-flat, axis=1, kind="stable")[:, :most].T
    strengths = np.ascontiguousarray(np.take_along_axis(flat.T, pairs, axis=0))
    upper, lower = np.divmod(np.ascontiguousarray(pairs), m)
    rows = np.arange(b)
    bits = np.uint64(1) << (np.arange(m) % _WORD).astype(np.uint64)
    reach = np.zeros((b, m, words), dtype="<u8")
    reach[:, np.arange(m), np.arange(m) // _WORD] = bits
    flat_reach = reach.reshape(-1)
    offset = rows * (m * words)
    up_to_low = offset + upper * words + lower // _WORD  # the word that says whether the upper item reaches the lower
    low_to_up = offset + lower * words + upper // _WORD

    start = reach.copy()  # when the present strength came up
    unclear = reach.copy()  # the last of these from where order matters, and the strength
    unclear_strength = np.zeros(b, dtype=strength.dtype)
    same = np.zeros((most + 1, b), dtype=np.bool_)  # as strong as the one before
    same[1:-1] = (strengths[1:] == strengths[:-1]) & (strengths[1:] > 0)
    tied, new = same[:-1] | same[1:], same[1:] & ~same[:-1]
    for step in range(most):
        a, c, s = upper[step], lower[step], strengths[step]
        fresh = np.flatnonzero(new[step])
        start[fresh] = reach[fresh]
        refused = (flat_reach[low_to_up[step]] & bits[a]) != 0
        known = (flat_reach[up_to_low[step]] & bits[c]) != 0
        late = np.flatnonzero(refused & tied[step] & ((start.reshape(-1)[low_to_up[step]] & bits[a]) == 0))
        late = late[unclear_strength[late] != s[late]]
        unclear[late], unclear_strength[late] = start[late], s[late]
        now = np.flatnonzero(~(refused | known) & (s > 0))
        if len(now):
            part = reach[now]
            linked = (part[np.arange(len(now)), :, a[now] // _WORD] & bits[a[now], None]) != 0
            reach[now] = part | np.where(linked[:, :, None], reach[now, c[now]][:, None], np.uint64(0))
    still_open = unclear_strength > 0
    unsure = np.flatnonzero(still_open)
    unclear_pairs = strength[unsure] == unclear_strength[unsure, None, None]
    still_open[unsure] = ~_too_many_in_cycles(_bools(unclear[unsure], m), unclear_pairs)
    return LockedOnce(_bools(reach, m) & ~np.eye(m, dtype=np.bool_), still_open)


def _too_many_in_cycles(reach: Bools, pairs: Bools) -> Bools:
    """Whether undecided majorities of one strength lie on common cycles of more items than are followed, `(b,)`.

    Args:
        reach: `(b, m, m)` what was locked in before, every item reaching itself.
        pairs: `(b, m, m)` the majorities.
    """
    undecided = pairs & ~reach & ~np.swapaxes(reach, -1, -2)
    ends = np.asarray(undecided.any(axis=-1) | undecided.any(axis=-2))
    paths = strongest_paths((reach | undecided).view(np.int8)).view(np.bool_)
    together = paths & np.swapaxes(paths, -1, -2) & ends[..., None, :]
    return np.asarray(together.sum(axis=-1).max(axis=-1, initial=0) > MOST_IN_CYCLES)


def _bools(reach: Matrix, m: int) -> Bools:
    bits = np.unpackbits(reach.view(np.uint8), axis=-1, bitorder="little")
    return np.ascontiguousarray(bits[..., :m]).view(np.bool_)
