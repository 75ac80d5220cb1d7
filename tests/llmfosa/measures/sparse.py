"""Sparse matrices for the tests of measures."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_array


def matrix(rows: Sequence[Sequence[int]], m: int) -> Any:
    """An `(n, m)` matrix of ones at the columns that each row names."""
    pointers = np.cumsum([0, *map(len, rows)])
    columns = np.array([column for row in rows for column in sorted(row)], dtype=np.int32)
    return csr_array((np.ones(len(columns), dtype=np.float32), columns, pointers), shape=(len(rows), m))
