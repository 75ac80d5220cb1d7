"""Whether a delivered slate serves an objective: the rating that the numbers give, for words to be measured against."""

from __future__ import annotations

import numpy as np

from simulator.profile import Floats, Ints

RATINGS = ("no", "partly", "yes")  # ordinal, in the order of their codes
CUTS = (1 / 3, 2 / 3)
_LEAST_SPREAD = 1e-9


def standing(utilities: Floats, slate: Ints) -> Floats:
    """How far a slate goes from what chance would give towards the best slate of its size.

        s_i = (U_i(slate) - mean_a u_i(a)) / (max_W U_i(W) - mean_a u_i(a)),   U_i(W) = (1/k) sum_{a in W} u_i(a)

    1 is the stakeholder's own best slate, 0 what a slate drawn at random is worth in expectation, below 0 what is worse
    than that. nan where no slate is worth more than another, or a utility is nan.

    Shapes: utilities `(n, m)`, slate `(k,)` as item indices, result `(n,)`.
    """
    k = len(slate)
    chance = utilities.mean(axis=1)
    best = np.sort(utilities, axis=1)[:, utilities.shape[1] - k :].mean(axis=1)
    spread = best - chance
    told = spread > _LEAST_SPREAD  # nan is not
    gained = utilities[:, slate].mean(axis=1) - chance
    return np.where(told, gained / np.where(told, spread, 1.0), np.nan)


def rating(standings: Floats) -> Ints:
    """Codes in `RATINGS`, by thirds of the way: no below 1/3, yes from 2/3 on, partly between; -1 for nan."""
    codes = np.digitize(np.nan_to_num(standings), np.array(CUTS) - _LEAST_SPREAD)
    return np.where(np.isnan(standings), -1, codes).astype(np.int64)
