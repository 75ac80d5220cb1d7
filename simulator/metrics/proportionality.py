"""Proportionality over decisions: does everybody get its share of what it would get if it decided alone?

Each of T decisions (issues, rounds) gives stakeholder i the utility `got[t, i]`; had it decided alone, it would have
had `best[t, i]`. Shapes: `(..., T, n)` to `(..., n)`. Weights in the vote do not enter.

Source: V. Conitzer, R. Freeman and N. Shah, Fair public decision making, EC 2017.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.outcome import TOLERANCE
from simulator.profile import Bools, Floats


def proportional_share(best: ArrayLike) -> Floats:
    """PROP_i = (1/n) sum_t best[t, i]."""
    maxima = np.asarray(best, dtype=np.float64)
    return np.asarray(maxima.sum(axis=-2) / maxima.shape[-1])


def is_prop1(got: ArrayLike, best: ArrayLike) -> Bools:
    """Whether i would have its proportional share if at most one decision were changed for it.

    max_t (U_i - got[t, i] + best[t, i]) >= PROP_i, up to rounding; true without decisions.
    """
    gained, maxima = np.asarray(got, dtype=np.float64), np.asarray(best, dtype=np.float64)
    if not maxima.shape[-2]:
        return np.ones((*maxima.shape[:-2], maxima.shape[-1]), dtype=np.bool_)
    changed = gained.sum(axis=-2) + (maxima - gained).max(axis=-2)
    return _reaches(changed, proportional_share(maxima))


def round_robin_share(best: ArrayLike) -> Floats:
    """RRS_i: what i gets by choosing last in every turn: the n-th, 2n-th, ... of its maxima from the largest down."""
    maxima = -np.sort(-np.asarray(best, dtype=np.float64), axis=-2)
    n = maxima.shape[-1]
    return np.asarray(maxima[..., n - 1 :: n, :].sum(axis=-2))


def pessimistic_proportional_share(best: ArrayLike) -> Floats:
    """PPS_i: the sum of the floor(T/n) smallest of its maxima."""
    maxima = np.sort(np.asarray(best, dtype=np.float64), axis=-2)
    return np.asarray(maxima[..., : maxima.shape[-2] // maxima.shape[-1], :].sum(axis=-2))


def _reaches(value: Floats, bound: Floats) -> Bools:
    return np.asarray(value >= bound - TOLERANCE * np.maximum(1.0, np.abs(bound)))


def _ratio(value: Floats, bound: Floats) -> Floats:
    return np.where(bound > 0, value / np.where(bound > 0, bound, 1.0), np.nan)


@metric("proportional_share", scope="stakeholder", horizon="cumulative")
def reached_proportional_share(view: Evaluation) -> Floats:
    """Utility of all rounds so far over 1/n of what the own best slates would have given; 1 = its proportional share.

    nan where those are worth nothing.
    """
    n = len(view.weights)
    return _ratio(view.history.total, view.history.best_total / n)


@metric("prop1", scope="stakeholder", horizon="cumulative")
def reached_prop1(view: Evaluation) -> Floats:
    """1 if the stakeholder has its proportional share or would have it were one round so far changed for it, else 0.

    Costs the rounds so far, every round.
    """
    return is_prop1(view.history.utilities, view.history.best).astype(float)


@metric("round_robin_share", scope="stakeholder", horizon="cumulative")
def reached_round_robin_share(view: Evaluation) -> Floats:
    """Utility of all rounds so far over the round-robin share; nan where that is 0.

    Costs the rounds so far, every round.
    """
    return _ratio(view.history.total, round_robin_share(view.history.best))
