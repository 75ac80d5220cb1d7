"""Entries as a sparse matrix in the one form that all of LLMFOSA uses."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array


def sparse(
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    values: NDArray[Any],
    shape: tuple[int, int],
    dtype: type[np.floating[Any]] = np.float32,
) -> csr_array:
    """A CSR matrix with sorted indices, of 32 bits where they fit; explicit zeros (a time of 0) stay."""
    index = np.int32 if max(len(rows), *shape) < 2**31 else np.int64
    matrix = csr_array((np.asarray(values, dtype=dtype), (rows.astype(index), columns.astype(index))), shape=shape)
    matrix.sort_indices()
    return matrix
