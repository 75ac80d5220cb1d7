"""The k best items of every user, of all that it has not seen."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator.profile import Ints

Matrix = Any  # scipy.sparse.csr_array, which has no types
CELLS = 2_000_000  # scores held at once
NOTHING = -1


def top_items(
    users: ArrayLike, items: ArrayLike, seen: Matrix | None, k: int, *, rows: ArrayLike | None = None
) -> Ints:
    """The k items with the highest scores p_u . q_v, best first, `(n, k)`; equal scores by item index.

    Args:
        users: `(n, d)` embeddings.
        items: `(m, d)` embeddings.
        seen: `(n, m)` CSR matrix; its stored entries are left out. None leaves nothing out.
        k: how many; where fewer are left the row ends in -1.
        rows: the users that are asked for, in this order; all by default.

    Raises:
        ValueError: shapes do not fit, k < 1, or an embedding is not finite (the training has diverged).
    """
    p, q = _floating(users), _floating(items)
    if p.ndim != 2 or q.ndim != 2 or p.shape[1] != q.shape[1]:
        raise ValueError(f"embeddings of users {p.shape} and items {q.shape} do not fit each other")
    if seen is not None and seen.shape != (len(p), len(q)):
        raise ValueError(f"{len(p)} users and {len(q)} items do not fit the matrix of what was seen, {seen.shape}")
    if k < 1:
        raise ValueError(f"k is {k}; it should be at least 1")
    for name, values in (("users", p), ("items", q)):
        if not np.isfinite(values).all():
            raise ValueError(f"embeddings of {name} are not finite: the training has diverged")
    asked = np.arange(len(p)) if rows is None else np.asarray(rows, dtype=np.int64)
    found = np.full((len(asked), k), NOTHING, dtype=np.int64)
    size = max(1, CELLS // max(1, len(q)))
    for start in range(0, len(asked), size):
        batch = asked[start : start + size]
        scores = p[batch] @ q.T
        if seen is not None:
            scores[_stored(seen, batch)] = -np.inf
        best = _best(scores, min(k, len(q)))
        dead = np.take_along_axis(scores, best, axis=1) == -np.inf
        found[start : start + size, : best.shape[1]] = np.where(dead, NOTHING, best)
    return found


def _stored(matrix: Matrix, rows: Ints) -> tuple[Ints, Ints]:
    """Places of the stored entries of some rows of a CSR matrix: row within the batch, and column."""
    first, last = matrix.indptr[rows].astype(np.int64), matrix.indptr[rows + 1].astype(np.int64)
    counts = last - first
    ends = np.cumsum(counts)
    inside = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)
    return np.repeat(np.arange(len(rows)), counts), matrix.indices[np.repeat(first, counts) + inside]


def _best(scores: NDArray[Any], k: int) -> Ints:
    """Columns of the k highest scores of every row, best first, equal ones by column."""
    m = scores.shape[1]
    if k >= m:
        return np.asarray(np.argsort(-scores, axis=1, kind="stable")[:, :k])
    columns = np.argpartition(scores, m - k, axis=1)[:, m - k :]
    columns.sort(axis=1)
    values = np.take_along_axis(scores, columns, axis=1)
    order = np.argsort(-values, axis=1, kind="stable")
    best = np.take_along_axis(columns, order, axis=1)
    # Where the k-th score occurs again outside, the partition chose among equals: those rows are sorted whole.
    tied = (scores >= values.min(axis=1, keepdims=True)).sum(axis=1) > k
    if tied.any():
        best[tied] = np.argsort(-scores[tied], axis=1, kind="stable")[:, :k]
    return best


def _floating(values: ArrayLike) -> NDArray[Any]:
    """As they are, if they are floating-point numbers; single precision is enough to rank by, and twice as fast."""
    given = np.asarray(values)
    return given if np.issubdtype(given.dtype, np.floating) else given.astype(np.float64)
