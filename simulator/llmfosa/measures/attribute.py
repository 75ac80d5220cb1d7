"""How good an inferred attribute is, where the true one is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from simulator.llmfosa.crowds.matching import match
from simulator.llmfosa.measures.roc import auc
from simulator.profile import Bools, Floats

BINS = 15


@dataclass(frozen=True, slots=True)
class Quality:
    """An inferred attribute against the true one, over the users whose true value is known.

    Attributes:
        auc: of two values, that of the second's probability; of more, the mean over values against the rest.
        accuracy: share of users whose likeliest value is the true one; the first of equally likely ones counts.
        ece: expected calibration error of the likeliest value's probability, 15 bins of equal width.
        brier: mean over users of sum_a (q_a - [a true])^2, in 0..2.
        log_loss: mean of -log q(true value), in nats; probabilities count as at least 1e-12.
        confusion_error: mean absolute error of confusion matrices over all entries after matching labels; nan
            where none were given.
        users: how many users were judged.
    """

    auc: float
    accuracy: float
    ece: float
    brier: float
    log_loss: float
    confusion_error: float
    users: int


def attribute_quality(
    posterior: ArrayLike, codes: ArrayLike, confusion: ArrayLike | None = None, true_confusion: ArrayLike | None = None
) -> Quality:
    """Judge probabilities `(n, A)` by true codes `(n,)`, -1 where not known, and confusion matrices `(P, A, A)`.

    Raises:
        ValueError: shapes do not fit, a row is no distribution, or no user is known.

    Sources: C. Guo et al., On calibration of modern neural networks, ICML 2017 (ECE); G. W. Brier, Verification of
    forecasts expressed in terms of probability, Monthly Weather Review 78, 1950.
    """
    q, truth = np.asarray(posterior, dtype=np.float64), np.asarray(codes, dtype=np.int64)
    if q.ndim != 2 or truth.shape != (len(q),) or truth.max(initial=-1) >= q.shape[1]:
        raise ValueError(f"probabilities of shape {q.shape} do not fit codes of shape {truth.shape}")
    known = truth >= 0
    q, truth = q[known], truth[known]
    if not len(q):
        raise ValueError("the true value of no user is known")
    if (q < 0).any() or not np.allclose(q.sum(axis=1), 1, atol=1e-4):
        raise ValueError("probabilities of a user are negative or do not sum to 1")
    one_hot: Bools = truth[:, None] == np.arange(q.shape[1])
    right: Bools = q.argmax(axis=1) == truth
    of_values = [auc(q[:, value], one_hot[:, value]) for value in range(q.shape[1])]
    defined = [area for area in (of_values[1:] if len(of_values) == 2 else of_values) if not np.isnan(area)]
    error = float("nan")
    if confusion is not None and true_confusion is not None:
        _, error = match(confusion, true_confusion)
    return Quality(
        auc=float(np.mean(defined)) if defined else float("nan"),
        accuracy=float(right.mean()),
        ece=_calibration_error(q.max(axis=1), right),
        brier=float(((q - one_hot) ** 2).sum(axis=1).mean()),
        log_loss=float(-np.log(np.maximum(q[one_hot], 1e-12)).mean()),
        confusion_error=error,
        users=len(q),
    )


def _calibration_error(confidence: Floats, right: Bools) -> float:
    """sum_b (n_b / n) |accuracy in b - mean confidence in b| over bins ((b - 1) / B, b / B]."""
    bins = np.clip(np.ceil(confidence * BINS).astype(np.int64) - 1, 0, BINS - 1)
    gaps = np.bincount(bins, weights=right - confidence, minlength=BINS)
    return float(np.abs(gaps).sum() / len(confidence))
