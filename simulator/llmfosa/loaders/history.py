"""What of a user is shown to those who judge it."""

from __future__ import annotations

import numpy as np

from simulator.llmfosa.interactions import Interactions
from simulator.seeds import generator


def history(data: Interactions, user: int, limit: int, *, seed: int = 0) -> tuple[int, ...]:
    """At most `limit` of a user's training items: the strongest first, then the latest, then drawn by the seed.

    Args:
        data: The interactions; validation and test are not looked at.
        user: Position of the user.
        limit: How many items at most.
        seed: Where ties are drawn from, user by user.

    Returns:
        Positions of the items, the first of which says most.
    """
    start, end = data.train.indptr[user : user + 2]
    items = np.asarray(data.train.indices[start:end], dtype=np.int64)
    strengths = data.train.data[start:end]
    late = np.zeros(len(items))
    if data.times is not None and len(items):
        first, last = data.times.indptr[user : user + 2]
        known, seconds = data.times.indices[first:last], data.times.data[first:last]
        at = np.minimum(np.searchsorted(known, items), len(known) - 1) if len(known) else None
        if at is not None:
            late = np.where(known[at] == items, seconds[at], 0.0)
    drawn = generator(seed, "llmfosa", "history", data.users[user]).random(len(items))
    order = np.lexsort((drawn, -late, -strengths))
    return tuple(int(item) for item in items[order[:limit]])
