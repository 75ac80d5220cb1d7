"""In which order tied items are delivered: a tie rule is a permutation of the items, first wins."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.profile import Ints
from simulator.registry import nearest
from simulator.seeds import generator

TIES = ("earlier_service", "item_order", "seeded")


def priority(tie: str, m: int, *, seed: int = 0, last_delivered: ArrayLike | None = None) -> Ints:
    """The tie order `(m,)` as item indices.

    Args:
        tie: `item_order`; `seeded`, a random permutation drawn from the seed; `earlier_service`, the items that were
            delivered longest ago first, those never delivered before all others, equal ones in item order.
        m: number of items.
        seed: seed of `seeded`; one tie order per seed, so a run gives every round its own.
        last_delivered: `(m,)` round in which each item was last delivered, from 1; 0 = never. For `earlier_service`;
            nothing was delivered yet by default.

    Raises:
        ValueError: there is no such tie rule, or `last_delivered` has another length.
    """
    match tie:
        case "item_order":
            return np.arange(m)
        case "seeded":
            return generator(seed, "tie").permutation(m)
        case "earlier_service":
            last = np.zeros(m) if last_delivered is None else np.asarray(last_delivered)
            if last.shape != (m,):
                raise ValueError(f"last_delivered has shape {last.shape}, expected {(m,)}")
            return np.argsort(last, kind="stable")
    raise ValueError(f"there is no tie rule {tie!r}{nearest(tie, list(TIES))}")
