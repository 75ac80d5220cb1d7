"""The tables beside the base lists: items with popularity, genre and provider, users with their taste."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.llmfosa.bridge.lists import item_names
from simulator.llmfosa.interactions import Interactions
from simulator.metrics.calibration import popularity_tiers
from simulator.profile import Floats

if TYPE_CHECKING:
    import pandas as pd

TIERS = ("head", "mid", "tail")


def popularity(data: Interactions) -> Floats:
    """Share `(m,)` of all users who have the item in training."""
    return np.asarray((data.train > 0).sum(axis=0), dtype=np.float64).reshape(-1) / len(data.users)


def kinds(data: Interactions) -> tuple[str, ...]:
    """Every item's first genre, "" without one; in data without genres head, mid and tail by popularity."""
    if any(data.genres):
        return tuple(own[0] if own else "" for own in data.genres)
    return tuple(TIERS[tier] for tier in popularity_tiers(popularity(data)).tolist())


def catalogue(data: Interactions, providers: Sequence[str] | None = None) -> pd.DataFrame:
    """The columns title, genre, provider and popularity, one item a row.

    Args:
        data: the interactions.
        providers: whose each item is; the genre stands in where nobody knows.
    """
    import pandas as pd

    genre = kinds(data)
    return pd.DataFrame(
        {
            "title": item_names(data),
            "genre": genre,
            "provider": genre if providers is None else list(providers),
            "popularity": np.round(popularity(data), 4),
        }
    )


def profiles(data: Interactions, users: Sequence[int], names: Sequence[str]) -> pd.DataFrame:
    """The columns user, usual_popularity and likes_<genre>, one user a row, from what they have in training.

    usual_popularity is the mean popularity of a user's items, likes_<genre> the share of them with this first genre.
    """
    import pandas as pd

    asked: Any = data.train[np.asarray(users, dtype=np.int64)] > 0
    number = np.maximum(np.asarray(asked.sum(axis=1), dtype=np.float64).reshape(-1), 1)
    genre = np.array(kinds(data))
    known = sorted(set(genre.tolist()) - {""})
    shares = (asked @ (genre[:, None] == np.array(known)).astype(np.float64)) / number[:, None]
    return pd.DataFrame(
        {
            "user": list(names),
            "usual_popularity": np.round(asked @ popularity(data) / number, 4),
            **{f"likes_{name}": np.round(shares[:, place], 4) for place, name in enumerate(known)},
        }
    )
