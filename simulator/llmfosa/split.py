"""Which interactions of a user train, which choose the epoch, and which are looked at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.seeds import generator

Matrix = Any  # scipy.sparse.csr_array, which has no types


def split(pairs: Matrix, *, test: float = 0.2, valid_of_test: float = 0.1, seed: int) -> tuple[Matrix, Matrix, Matrix]:
    """Training, validation and test part of a CSR matrix, drawn user by user.

    Of a user's k interactions round(test * k) are held out, but never all of them; of those held out a share
    `valid_of_test` is for validation (the protocol of FairMI: 80/20, 10 % of the 20 % for validation).

    Args:
        pairs: `(n, m)` CSR matrix; its values are kept.
        test: Share of each user's interactions that is held out.
        valid_of_test: Share of the held-out ones that is for validation.
        seed: Where the draws come from.

    Returns:
        Three CSR matrices of the same shape with sorted indices, without a common pair.
    """
    counts = np.diff(pairs.indptr)
    wanted = np.minimum(np.rint(test * counts).astype(np.int64), np.maximum(counts - 1, 0))
    train, held = _part(pairs, wanted, generator(seed, "llmfosa", "split", "test"))
    valid, tested = take_validation(held, share=valid_of_test, seed=seed)
    return train, valid, tested


def take_validation(test: Matrix, *, share: float = 0.1, seed: int) -> tuple[Matrix, Matrix]:
    """Draw a share of each user's test interactions for validation: (validation, rest).

    share * k is rounded up or down at random so that the share is right on average also for users with few; a user's
    only one stays in the test.
    """
    rng = generator(seed, "llmfosa", "split", "validation")
    counts = np.diff(test.indptr)
    wanted = np.floor(share * counts + rng.random(len(counts))).astype(np.int64)
    rest, valid = _part(test, np.minimum(wanted, np.maximum(counts - 1, 0)), rng)
    return valid, rest


def _part(pairs: Matrix, wanted: NDArray[np.int64], rng: np.random.Generator) -> tuple[Matrix, Matrix]:
    """(rest, drawn): `wanted[u]` entries of row u at random."""
    from scipy.sparse import csr_array

    counts = np.diff(pairs.indptr)
    rows = np.repeat(np.arange(len(counts)), counts)
    order = np.lexsort((rng.random(len(rows)), rows))
    rank = np.arange(len(rows)) - np.repeat(pairs.indptr[:-1], counts)
    drawn = np.zeros(len(rows), dtype=bool)
    drawn[order] = rank < wanted[rows]
    parts = []
    for at in (~drawn, drawn):
        ends = np.concatenate([[0], np.cumsum(np.bincount(rows[at], minlength=len(counts)))])
        part = csr_array((pairs.data[at], pairs.indices[at], ends.astype(pairs.indptr.dtype)), shape=pairs.shape)
        part.sort_indices()
        parts.append(part)
    return parts[0], parts[1]
