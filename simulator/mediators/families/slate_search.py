"""The slates of the greatest worth, where the worth of a slate is one number that need not be a function of sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb

import numpy as np

from simulator.mediators.families.slates import MOST_ENUMERATED, SlateChoice, all_slates, choice_of, swaps
from simulator.outcome import close_ranks
from simulator.profile import Floats, Ints

_BLOCK = 20_000

Worth = Callable[[Ints], Floats]
"""`worth(slates (c, k))` -> `(c,)`, also of slates that are still smaller than k."""


def best_slates(worth: Worth, m: int, k: int, in_order: Sequence[int], guarantee: str) -> SlateChoice:
    """The best slates of size k: by enumeration up to `MOST_ENUMERATED` slates, above that one found by search.

    The search adds the item that helps most until k are chosen, then swaps one item for another while a swap helps.
    Ties go to the first item in item order, whatever the tie rule is, so that the tie rule never changes who wins.

    Args:
        worth: what is maximised.
        m, k: sizes.
        in_order: the tie order.
        guarantee: what is known about a slate that search finds, in words.
    """
    count = comb(m, k)
    exact = count <= MOST_ENUMERATED
    slates = all_slates(m, k) if exact else _search(worth, m, k)
    tiers = close_ranks(_in_blocks(worth, slates))
    behind = np.flatnonzero(tiers == 1)
    next_best = tuple(slates[behind[0]].tolist()) if len(behind) else None
    how = f"All {count} slates were compared." if exact else f"Found by greedy choice and single swaps: {guarantee}."
    return choice_of(slates[tiers == 0], m, in_order, next_best, how, exact=exact)


def _in_blocks(worth: Worth, slates: Ints) -> Floats:
    return np.concatenate([worth(slates[start : start + _BLOCK]) for start in range(0, len(slates), _BLOCK)])


def _search(worth: Worth, m: int, k: int) -> Ints:
    """The slate that is found, and after it all that differ from it in one item."""
    slate = np.zeros(0, dtype=np.int64)
    for _ in range(k):
        rest = np.setdiff1d(np.arange(m), slate)
        longer = np.column_stack([np.tile(slate, (len(rest), 1)), rest])
        slate = longer[close_ranks(_in_blocks(worth, longer)).argmin()]
    slate = np.sort(slate)
    while True:
        slates = np.concatenate([slate[None], swaps(slate, m)])
        best = int(close_ranks(_in_blocks(worth, slates)).argmin())
        if best == 0:  # the slate in hand is still among the best
            return slates
        slate = slates[best]
