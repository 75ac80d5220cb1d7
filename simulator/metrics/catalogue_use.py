"""How much of the catalogue the delivered slates use, and how evenly."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.metrics.gini import gini
from simulator.profile import Floats


def catalogue_coverage(delivered: ArrayLike) -> Floats:
    """Share of the N items that were delivered at least once; counts `(..., N)` to `(...)`; nan without items.

    Source: M. Ge, C. Delgado-Battenfeld and D. Jannach, Beyond accuracy: evaluating recommender systems by coverage and
    serendipity, RecSys 2010.
    """
    counts = np.asarray(delivered, dtype=np.float64)
    return np.asarray((counts > 0).mean(axis=-1)) if counts.shape[-1] else np.full(counts.shape[:-1], np.nan)


def catalogue_gini(delivered: ArrayLike) -> Floats:
    """(N + 1 - 2 sum_k (N - k) c_(k) / sum c) / N over all N items of the catalogue, c ascending, k from 0.

    The Gini coefficient of how often items were delivered, in 0..(N - 1)/N. Items never delivered count: without them a
    list of the same few items would look perfectly equal. Counts `(..., N)` to `(...)`.
    """
    return gini(delivered)


@metric("catalogue_coverage", scope="collective", horizon="cumulative")
def cumulative_catalogue_coverage(view: Evaluation) -> float:
    """Share of the catalogue's items that were delivered at least once so far."""
    return float(catalogue_coverage(view.history.delivered))


@metric("catalogue_gini", scope="collective", horizon="cumulative", better="lower")
def cumulative_catalogue_gini(view: Evaluation) -> float:
    """Gini coefficient of how often the catalogue's items were delivered so far, those never delivered included."""
    return float(catalogue_gini(view.history.delivered))
