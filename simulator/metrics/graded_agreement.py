"""Graded agreement: how much of a ballot's top the delivered slate serves, by places on both sides."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.metrics.ndcg import normalised_dcg
from simulator.profile import Floats, positions


def graded_agreement(ranks: ArrayLike, slate: ArrayLike) -> Floats:
    """The nDCG of a slate whose items are as relevant as a ballot ranks them high: rel = 1 / log2(place + 1).

    Places count from 1. 1 = the slate is the top of the ballot in its order, 0 = it holds nothing that the ballot
    ranks. Tied items share their mean place; unranked items are worth 0. nan for a ballot that ranks nothing.

    Shapes: tiers `(..., m)` (unranked = m), the slate `(k,)` as item indices, best first, to `(...)`.
    """
    tiers = np.asarray(ranks, dtype=np.int64)
    relevance = np.where(tiers < tiers.shape[-1], 1 / np.log2(positions(tiers) + 1), 0.0)
    return normalised_dcg(relevance, slate)


@metric("graded_agreement", scope="stakeholder")
def round_graded_agreement(view: Evaluation) -> Floats:
    """The nDCG of the slate with 1 / log2(place + 1) in the stakeholder's last ballot as gains; nan if it abstains."""
    return graded_agreement(view.ranks, view.slate)
