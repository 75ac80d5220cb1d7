"""nDCG: how good the order of the delivered slate is for a stakeholder, against its own best slate."""

from __future__ import annotations

import numpy as np

from simulator.metrics.base import Evaluation, metric
from simulator.profile import Floats


def dcg(gains: Floats) -> Floats:
    """Discounted cumulative gain sum_j g_j / log2(j + 1) over the last axis, places j from 1.

    Source: K. Jarvelin and J. Kekalainen, Cumulated gain-based evaluation of IR techniques, 2002.
    """
    return np.asarray(gains @ (1 / np.log2(np.arange(2, gains.shape[-1] + 2))))


@metric("ndcg", scope="stakeholder")
def ndcg(view: Evaluation) -> Floats:
    """DCG of the slate over DCG of the stakeholder's own best k items, with true utilities as gains; in 0..1.

    nan for a stakeholder to whom no candidate is worth anything.
    """
    k = len(view.slate)
    ideal = dcg(-np.sort(-view.utilities, axis=1)[:, :k])
    return np.where(ideal > 0, dcg(view.utilities[:, view.slate]) / np.where(ideal > 0, ideal, 1.0), np.nan)
