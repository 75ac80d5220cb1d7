"""nDCG: how good the order of the delivered slate is for a stakeholder, against its own best slate."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.profile import Floats


def dcg(gains: ArrayLike) -> Floats:
    """Discounted cumulative gain sum_j g_j / log2(j + 1) over the last axis, places j from 1.

    Source: K. Jarvelin and J. Kekalainen, Cumulated gain-based evaluation of IR techniques, 2002.
    """
    values = np.asarray(gains, dtype=np.float64)
    return np.asarray(values @ (1 / np.log2(np.arange(2, values.shape[-1] + 2))))


def exponential_gain(relevance: ArrayLike) -> Floats:
    """2^rel - 1: weighs the most relevant items more. Source: C. Burges et al., Learning to rank, ICML 2005."""
    return np.asarray(np.exp2(np.asarray(relevance, dtype=np.float64)) - 1)


def normalised_dcg(gains: ArrayLike, slate: ArrayLike) -> Floats:
    """DCG of a slate over that of the best slate of its length, `(...)`, in 0..1; nan where that is 0.

    Shapes: gains of all items `(..., m)`, the slate `(k,)` as item indices, best first.
    """
    values = np.asarray(gains, dtype=np.float64)
    shown = np.asarray(slate, dtype=np.int64)
    ideal = dcg(-np.sort(-values, axis=-1)[..., : len(shown)])
    return np.where(ideal > 0, dcg(values[..., shown]) / np.where(ideal > 0, ideal, 1.0), np.nan)


@metric("ndcg", scope="stakeholder", standard=True)
def ndcg(view: Evaluation, *, gain: Literal["linear", "exponential"] = "linear") -> Floats:
    """DCG of the slate over DCG of the stakeholder's own best k items, with true utilities as gains; in 0..1.

    nan for a stakeholder to whom no candidate is worth anything. `gain` exponential takes 2^utility - 1.
    """
    return normalised_dcg(view.utilities if gain == "linear" else exponential_gain(view.utilities), view.slate)
