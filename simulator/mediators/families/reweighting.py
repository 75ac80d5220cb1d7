"""How ballots' weights change from round to round by how far the outcomes were from them.

Every update takes weights `(..., n)` before the round, the Kendall distances K `(..., n)` between ballots and outcome,
and the number of pairs of items m (m - 1) / 2; it gives the weights of the next round.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from simulator.profile import Bools, Floats


@dataclass(frozen=True, slots=True)
class Pace:
    """The numbers that updates depend on.

    Attributes:
        threshold: a ballot is satisfied with an outcome that orders at most this share of the pairs differently.
        eta: how fast weights change, for `exponential`.
        target: the share of pairs that everyone should see ordered its way, for `exponential`.
    """

    threshold: float = 0.5
    eta: float = 1.0
    target: float = 0.5


Update = Callable[[Floats, Floats, float, Pace], Floats]


def constant(weights: Floats, distance: Floats, pairs: float, pace: Pace) -> Floats:
    """Weights w stay as they are."""
    return weights


def myopic(weights: Floats, distance: Floats, pairs: float, pace: Pace) -> Floats:
    """K: the last round alone counts; where nobody is at any distance, 1 for all."""
    return np.where((distance > 0).any(axis=-1, keepdims=True), distance, 1.0)


def cumulative(weights: Floats, distance: Floats, pairs: float, pace: Pace) -> Floats:
    """Weights grow by the distance, w + K."""
    return np.asarray(weights + distance)


def squared(weights: Floats, distance: Floats, pairs: float, pace: Pace) -> Floats:
    """Weights grow by the squared distance, w + K^2."""
    return np.asarray(weights + distance**2)


def unit_cost(weights: Floats, distance: Floats, pairs: float, pace: Pace) -> Floats:
    """Whoever is not satisfied gains 1."""
    return np.asarray(weights + ~_satisfied(distance, pairs, pace))


def reset(weights: Floats, distance: Floats, pairs: float, pace: Pace) -> Floats:
    """Whoever is not satisfied gains 1; everyone else starts anew with 1."""
    return np.where(_satisfied(distance, pairs, pace), 1.0, weights + 1)


def pav(weights: Floats, distance: Floats, pairs: float, pace: Pace) -> Floats:
    """Whoever is satisfied goes from w to w / (w + 1): 1, 1/2, 1/3, ..."""
    return np.where(_satisfied(distance, pairs, pace), weights / (weights + 1), weights)


def exponential(weights: Floats, distance: Floats, pairs: float, pace: Pace) -> Floats:
    """Becomes w exp(eta (target - sat)) with sat = 1 - K / pairs, divided by the mean: the weights' mean is 1."""
    # Whoever is always content would vanish for good; 1e-9 of the mean can still come back.
    logs = np.log(np.maximum(weights, 1e-9)) + pace.eta * (pace.target - 1 + distance / max(1.0, pairs))
    grown = np.exp(logs - logs.max(axis=-1, keepdims=True, initial=-np.inf))
    mean = grown.sum(axis=-1, keepdims=True) / max(1, grown.shape[-1])  # there may be no ballot
    return np.asarray(np.maximum(grown / mean, 1e-9))


UPDATES: dict[str, Update] = {
    update.__name__: update for update in (constant, myopic, cumulative, squared, unit_cost, reset, pav, exponential)
}


def _satisfied(distance: Floats, pairs: float, pace: Pace) -> Bools:
    return np.asarray(distance <= pace.threshold * pairs * (1 + 1e-12))
