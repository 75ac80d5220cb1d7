"""Popularity bias: does the slate hold more popular items than those a stakeholder likes best?"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.metrics.parameters import Count, NumberColumn
from simulator.profile import Floats


def mean_popularity(popularity: ArrayLike, members: ArrayLike) -> Floats:
    """Mean popularity `(...)` of the members `(..., m)` whose popularity `(m,)` is known; nan without any.

    Of a slate it is the average recommendation popularity (ARP), of a profile the user profile popularity (UPP).
    Source: H. Abdollahpouri et al., The unfairness of popularity bias in recommendation, RMSE at RecSys 2019.
    """
    values = np.asarray(popularity, dtype=np.float64)
    known = np.asarray(members, dtype=np.bool_) & ~np.isnan(values)
    number = known.sum(axis=-1)
    return np.where(number > 0, (known * np.nan_to_num(values)).sum(axis=-1) / np.maximum(number, 1), np.nan)


def popularity_lift(slate: ArrayLike, profile: ArrayLike) -> Floats:
    """(ARP - UPP) / UPP: 0 = as popular as the profile, above 0 = more popular; nan where UPP is 0.

    Source: H. Abdollahpouri et al., The connection between popularity bias, calibration, and fairness in
    recommendation, RecSys 2020.
    """
    delivered, liked = np.asarray(slate, dtype=np.float64), np.asarray(profile, dtype=np.float64)
    return np.where(liked != 0, (delivered - liked) / np.where(liked != 0, liked, 1.0), np.nan)


@metric("mean_popularity", scope="collective", better="neither")
def round_mean_popularity(view: Evaluation, *, popularity: NumberColumn) -> float:
    """Mean of the column `popularity` over the delivered items (ARP); nan where it is blank for all of them."""
    return float(mean_popularity(view.items.numbers(popularity)[view.slate], np.ones(len(view.slate), dtype=np.bool_)))


@metric("popularity_lift", scope="stakeholder", better="neither")
def round_popularity_lift(view: Evaluation, *, popularity: NumberColumn, profile: Count | None = None) -> Floats:
    """How much more popular the delivered items are than the own best `profile` candidates (k by default), relatively.

    0 = as popular.
    """
    values = view.items.numbers(popularity)
    slate = mean_popularity(values[view.slate], np.ones(len(view.slate), dtype=np.bool_))
    return popularity_lift(slate, mean_popularity(values, view.own_best(profile)))
