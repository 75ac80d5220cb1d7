"""Which latent value is which: confusion matrices are found up to a renaming of the latent values."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.profile import Floats


def match(confusion: ArrayLike, truth: ArrayLike) -> tuple[Floats, float]:
    """The confusion matrices with their rows renamed as fits the true ones best, and the error that is left.

    One renaming holds for all annotators: it minimises sum_i,a,k |F_i[pi(a), k] - T_i[a, k]|. Columns are labels as
    they were given and stay.

    Args:
        confusion: F, `(P, A, A)`, or `(A, A)` for one annotator.
        truth: T, of the same shape.

    Returns:
        The renamed matrices, and the mean absolute error over all entries.

    Raises:
        ValueError: the shapes differ.
    """
    from scipy.optimize import linear_sum_assignment

    found, true = np.asarray(confusion, dtype=np.float64), np.asarray(truth, dtype=np.float64)
    if found.shape != true.shape or found.ndim not in (2, 3) or found.shape[-1] != found.shape[-2]:
        raise ValueError(f"confusion matrices of shapes {found.shape} and {true.shape} cannot be matched")
    rows = np.abs(found[..., :, None, :] - true[..., None, :, :]).sum(axis=-1)  # (..., A found, A true)
    _, order = linear_sum_assignment(rows.reshape(-1, *rows.shape[-2:]).sum(axis=0).T)
    renamed: Floats = found[..., order, :]
    return renamed, float(np.abs(renamed - true).mean())
