"""Utilitarian welfare: the weighted mean of the stakeholders' utilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.profile import Floats


def utilitarian_welfare(utilities: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """sum_i w_i U_i / sum_i w_i over the last axis; nan if nobody has weight.

    Shapes: utilities `(..., n)`, weights `(n,)`, equal by default, result `(...)`.

    Source: J. C. Harsanyi, Cardinal welfare, individualistic ethics, and interpersonal comparisons of utility, 1955.
    """
    values = np.asarray(utilities, dtype=np.float64)
    weighted = np.ones(values.shape[-1]) if weights is None else np.asarray(weights, dtype=np.float64)
    total = weighted.sum()
    return np.asarray(values @ weighted / total) if total > 0 else np.full(values.shape[:-1], np.nan)


@metric("utilitarian", scope="collective", standard=True)
def round_utilitarian(view: Evaluation) -> float:
    """Weighted mean of the stakeholders' utilities of the delivered slate."""
    return float(utilitarian_welfare(view.slate_utilities, view.weights))


@metric("cumulative_utilitarian", scope="collective", horizon="cumulative", standard=True)
def cumulative_utilitarian(view: Evaluation) -> float:
    """Weighted mean of the stakeholders' mean utilities over all rounds so far."""
    return float(utilitarian_welfare(view.history.mean, view.weights))
