"""Dawid and Skene's model: every annotator has a confusion matrix of its own."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from simulator.llmfosa.crowds.confusion import counted_confusion
from simulator.llmfosa.crowds.crowd import TINY, Crowd, maximise
from simulator.llmfosa.crowds.votes import votes_of
from simulator.profile import Floats


def dawid_skene(
    labels: ArrayLike, n_values: int, *, smoothing: float = 0.01, iterations: int = 1000, tol: float = 1e-9
) -> Crowd:
    """Maximum likelihood of priors p and confusion matrices F with latent values, labels independent given the value.

    E-step: q_u(a) ~ p(a) prod_i F_i[a, label_ui] over the labels that there are. M-step: F_i[a, k] ~ smoothing +
    sum_u q_u(a) [label_ui = k], p(a) ~ smoothing + sum_u q_u(a). It starts from the shares of the votes, so the latent
    values carry the labels' meaning as long as the majority is right more often than not; `match` undoes a swap.

    Args:
        labels: `(n, P)` with -1 for none, or `(n, P, R)` for R judgements by the same annotator.
        n_values: A.
        smoothing: pseudo-counts in every cell; 0 is Dawid and Skene's own maximum likelihood.
        iterations: at most so many.
        tol: stop once an iteration adds less than this share of the objective.

    Raises:
        ValueError: a label is not in -1..A-1, or a parameter is negative.

    Source: A. P. Dawid and A. M. Skene, Maximum likelihood estimation of observer error-rates using the EM algorithm,
    Journal of the Royal Statistical Society C 28(1), 1979.
    """
    votes = votes_of(labels, n_values)

    def penalty(confusion: Floats) -> float:
        return smoothing * float(np.log(np.maximum(confusion, TINY)).sum()) if smoothing else 0.0

    m_step = partial(counted_confusion, votes=votes, smoothing=smoothing)
    return maximise(votes, m_step, penalty, smoothing=smoothing, iterations=iterations, tol=tol)
