"""Confusion matrices counted from labels beside what is, or is thought to be, true."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.llmfosa.crowds.votes import votes_of
from simulator.profile import Floats


def counted_confusion(posterior: Floats, votes: Floats, smoothing: float = 0.0) -> Floats:
    """F[i, a, k] = (sum_u q_u(a) votes_u(i, k) + smoothing) / row sum, `(P, A, A)`; a row without any count is uniform.

    Shapes: posterior q `(n, A)`, votes `(n, P, A)`.
    """
    n, annotators, values = votes.shape
    counts = (posterior.T @ votes.reshape(n, annotators * values)).reshape(values, annotators, values)
    counts = counts.transpose(1, 0, 2) + smoothing
    rows = counts.sum(axis=2, keepdims=True)
    return np.asarray(np.where(rows > 0, counts / np.where(rows > 0, rows, 1.0), 1 / values))


def empirical_confusion(labels: ArrayLike, codes: ArrayLike, n_values: int) -> Floats:
    """The annotators' confusion matrices `(P, A, A)` where the truth is known; users with code -1 do not count.

    Shapes: labels `(n, P)` with -1 for none, codes `(n,)`. A value that no labelled user has gives a uniform row.
    """
    truth = (np.asarray(codes, dtype=np.int64)[:, None] == np.arange(n_values)).astype(np.float64)
    return counted_confusion(truth, votes_of(labels, n_values))
