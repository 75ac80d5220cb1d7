"""The short texts of simulated annotators: what of a history they saw, and what they made of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.llmfosa.interactions import Interactions

_SHARES = (
    "Hardly any",
    "A fifth",
    "A quarter",
    "A third",
    "Two fifths",
    "Half",
    "Two thirds",
    "Three quarters",
    "Nearly all",
)
_BOUNDS = (0.1, 0.225, 0.29, 0.365, 0.45, 0.58, 0.71, 0.87)


def genre_names(data: Interactions) -> tuple[str, ...]:
    """All genres in alphabetical order."""
    return tuple(sorted({genre for genres in data.genres for genre in genres}))


def genre_matrix(data: Interactions, names: Sequence[str]) -> Any:
    """`(m, G)` sparse matrix: 1 / (number of the item's genres) at each of its genres."""
    from scipy.sparse import csr_array

    at = {name: i for i, name in enumerate(names)}
    pairs = [(item, at[genre], 1 / len(genres)) for item, genres in enumerate(data.genres) for genre in genres]
    rows, columns, values = (np.array(part) for part in zip(*pairs, strict=True)) if pairs else ([], [], [])
    return csr_array((values, (rows, columns)), shape=(data.shape[1], len(names)))


def genre_shares(data: Interactions, names: Sequence[str]) -> NDArray[np.float64]:
    """`(n, G)`: which share of a user's training items each genre has, an item being split among its genres."""
    seen = data.train.astype(bool).astype(np.float64)
    counts = np.maximum(np.diff(data.train.indptr), 1)
    return np.asarray((seen @ genre_matrix(data, names)).toarray() / counts[:, None])


def share_words(shares: NDArray[np.float64]) -> NDArray[np.str_]:
    """Shares in [0, 1] in words."""
    return np.asarray(_SHARES)[np.searchsorted(_BOUNDS, shares)]


def genre_phrases(data: Interactions) -> list[str]:
    """One text a user, such as "Half of the history is Romance and Drama": each user's two most frequent genres."""
    names = genre_names(data)
    shares = genre_shares(data, names)
    if not names:
        return ["The history has no known genres"] * len(shares)
    top = np.argsort(-shares, axis=1, kind="stable")[:, :2]
    most = np.take_along_axis(shares, top, axis=1)
    words = share_words(most.sum(axis=1))
    return [
        f"{word} of the history is {' and '.join(names[at] for at, share in zip(pair, own, strict=True) if share > 0)}"
        if own[0] > 0
        else "The history has no known genres"
        for word, pair, own in zip(words, top, most, strict=True)
    ]


def reading(phrases: Sequence[str], labels: NDArray[np.int64], values: Sequence[str]) -> list[list[str]]:
    """One text for every user and annotator: what was seen and the value that it is read as; "" without a label."""
    tails = [*(f", which reads as {value}." for value in values), ""]
    return [
        [f"{phrase}{tails[label]}" if label >= 0 else "" for label in row]
        for phrase, row in zip(phrases, labels.tolist(), strict=True)
    ]


def summaries(phrases: Sequence[str], labels: NDArray[np.int64], values: Sequence[str]) -> list[str]:
    """One text a user: what was seen and how many annotators judged each value; "" where none did."""
    votes = (labels[..., None] == np.arange(len(values))).sum(axis=1)
    total = labels.shape[1]
    return [
        f"{phrase}. "
        + " and ".join(f"{count} of {total} judge {value}" for value, count in zip(values, row, strict=True) if count)
        + "."
        if any(row)
        else ""
        for phrase, row in zip(phrases, votes.tolist(), strict=True)
    ]
