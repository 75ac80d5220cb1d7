"""Base lists: what a trained recommender would show each user, with its scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from simulator.llmfosa.interactions import Interactions
from simulator.llmfosa.measures.top import top_items

if TYPE_CHECKING:
    import pandas as pd


def base_lists(
    users_embeddings: ArrayLike,
    items_embeddings: ArrayLike,
    data: Interactions,
    users: Sequence[int],
    length: int,
    *,
    names: Sequence[str] | None = None,
) -> pd.DataFrame:
    """The `length` items with the highest scores p_u . q_v of every user, of those that are new to it.

    What a user has in training or validation is left out; equal scores come by item index.

    Args:
        users_embeddings: `(n, d)`, of all users of the data.
        items_embeddings: `(m, d)`.
        data: the interactions.
        users: positions of the users that are asked for, in their order.
        length: how many items a list has; fewer where a user has seen nearly all.
        names: what the users are called in the lists; their ids in the data by default.

    Returns:
        The columns user, item (by `item_names`) and score (four decimals), best first, list after list.
    """
    import pandas as pd

    p, q = np.asarray(users_embeddings, dtype=np.float64), np.asarray(items_embeddings, dtype=np.float64)
    asked = np.asarray(users, dtype=np.int64)
    top = top_items(p, q, data.train + data.valid, length, rows=asked)
    scores = np.einsum("ud,ukd->uk", p[asked], q[top])
    known = top >= 0
    called = np.array([data.users[user] for user in asked] if names is None else list(names), dtype=object)
    return pd.DataFrame(
        {
            "user": np.repeat(called, known.sum(axis=1)),
            "item": np.array(item_names(data), dtype=object)[top[known]],
            "score": np.round(scores[known], 4),
        }
    )


def item_names(data: Interactions) -> tuple[str, ...]:
    """A name for every item that no other has: its title, with its id where it shares the title, fit for a slate."""
    titles = data.titles or data.items
    plain = [" ".join("".join(c if c.isprintable() and c != "|" else " " for c in title).split()) for title in titles]
    often = Counter(plain)
    return tuple(
        name if name and often[name] == 1 else f"{name} [{item}]".strip()
        for name, item in zip(plain, data.items, strict=True)
    )
