"""Egalitarian welfare: what the worst off stakeholder gets. Weights in the vote do not enter."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.profile import Floats


def minimum(utilities: ArrayLike) -> Floats:
    """min_i U_i over the last axis, `(..., n)` to `(...)`: the least misery; nan without stakeholders.

    Source: J. Rawls, A Theory of Justice, 1971.
    """
    values = np.asarray(utilities, dtype=np.float64)
    return np.asarray(values.min(axis=-1)) if values.shape[-1] else np.full(values.shape[:-1], np.nan)


@metric("minimum", scope="collective", standard=True)
def round_minimum(view: Evaluation) -> float:
    """Smallest of the stakeholders' utilities of the delivered slate."""
    return float(minimum(view.slate_utilities))


@metric("cumulative_minimum", scope="collective", horizon="cumulative", standard=True)
def cumulative_minimum(view: Evaluation) -> float:
    """Smallest of the stakeholders' mean utilities over all rounds so far."""
    return float(minimum(view.history.mean))
