"""The Gini coefficient: how unequally utility is spread over the stakeholders. Weights in the vote do not enter."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.profile import Floats


def gini(values: ArrayLike) -> Floats:
    """G = sum_i (2i - n - 1) x_(i) / (n sum x) over the last axis, x_(1) <= ... <= x_(n), all at least 0.

    0 = everybody has the same (also when everybody has 0), (n - 1) / n = one has everything; nan without values.
    Shapes: `(..., n)` to `(...)`. Source: C. Gini, Variabilita e mutabilita, 1912.
    """
    x = np.asarray(values, dtype=np.float64)
    n = x.shape[-1]
    if n == 0:
        return np.full(x.shape[:-1], np.nan)
    spread = np.sort(x, axis=-1) @ (2.0 * np.arange(1, n + 1) - n - 1)
    total = n * x.sum(axis=-1)
    return np.asarray(spread / np.where(total == 0, 1.0, total))


@metric("gini", scope="collective", better="lower", standard=True)
def round_gini(view: Evaluation) -> float:
    """Gini coefficient of the stakeholders' utilities of the delivered slate."""
    return float(gini(view.slate_utilities))


@metric("cumulative_gini", scope="collective", horizon="cumulative", better="lower", standard=True)
def cumulative_gini(view: Evaluation) -> float:
    """Gini coefficient of the stakeholders' summed utilities over all rounds so far."""
    return float(gini(view.history.total))
