"""Nash welfare: the geometric mean of the stakeholders' utilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.profile import Floats


def nash_welfare(utilities: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Weighted geometric mean over the last axis: (prod_i U_i^{w_i})^{1 / sum w}.

    0 if any U_i of positive weight is 0; nan if nobody has weight. Shapes: utilities `(..., n)` of at least 0, weights
    `(n,)`, equal by default, result `(...)`.

    Sources: J. F. Nash, The bargaining problem, 1950; M. Kaneko and K. Nakamura, The Nash social welfare function,
    1979.
    """
    values = np.asarray(utilities, dtype=np.float64)
    weighted = np.ones(values.shape[-1]) if weights is None else np.asarray(weights, dtype=np.float64)
    total = weighted.sum()
    if not total > 0:
        return np.full(values.shape[:-1], np.nan)
    with np.errstate(divide="ignore"):
        logs = np.log(np.where(weighted > 0, values, 1.0))
    return np.asarray(np.exp(logs @ (weighted / total)))


@metric("nash_welfare", scope="collective", standard=True)
def round_nash_welfare(view: Evaluation) -> float:
    """Weighted geometric mean of the stakeholders' utilities of the delivered slate."""
    return float(nash_welfare(view.slate_utilities, view.weights))


@metric("cumulative_nash_welfare", scope="collective", horizon="cumulative", standard=True)
def cumulative_nash_welfare(view: Evaluation) -> float:
    """Weighted geometric mean of the stakeholders' mean utilities over all rounds so far."""
    return float(nash_welfare(view.history.mean, view.weights))
