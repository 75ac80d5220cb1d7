"""The one-coin model: every annotator has one accuracy, whatever the value."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.llmfosa.crowds.crowd import TINY, Crowd, maximise
from simulator.llmfosa.crowds.votes import votes_of
from simulator.profile import Floats


def one_coin(
    labels: ArrayLike, n_values: int, *, smoothing: float = 0.01, iterations: int = 1000, tol: float = 1e-9
) -> Crowd:
    """As `dawid_skene` with F_i[a, a] = w_i and F_i[a, k] = (1 - w_i) / (A - 1) elsewhere.

    P parameters in place of P A (A - 1): for few labels, or many values. M-step: w_i = (smoothing + expected number of
    right labels) / (2 smoothing + number of labels); 1 / A for an annotator without any.

    Raises:
        ValueError: a label is not in -1..A-1, or a parameter is negative.

    Source: Y. Zhang, X. Chen, D. Zhou and M. I. Jordan, Spectral methods meet EM, JMLR 17, 2016.
    """
    votes = votes_of(labels, n_values)
    given = votes.sum(axis=(0, 2))

    def confusion_of(posterior: Floats) -> Floats:
        right = np.einsum("na,npa->p", posterior, votes) + smoothing
        cast = given + 2 * smoothing
        accuracy = np.where(given > 0, right / np.where(cast > 0, cast, 1.0), 1 / n_values)
        others = (1 - accuracy) / (n_values - 1)
        same = np.eye(n_values)
        return np.asarray(accuracy[:, None, None] * same + others[:, None, None] * (1 - same))

    def penalty(confusion: Floats) -> float:
        accuracy = confusion[given > 0, 0, 0]
        return smoothing * float((np.log(np.maximum(accuracy, TINY)) + np.log(np.maximum(1 - accuracy, TINY))).sum())

    return maximise(votes, confusion_of, penalty, smoothing=smoothing, iterations=iterations, tol=tol)
