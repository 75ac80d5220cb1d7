"""Regret: what a stakeholder, or the welfare of all, lost against the best that could have been decided."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.metrics.nash_welfare import nash_welfare
from simulator.profile import Floats


def cumulative_regret(got: ArrayLike, best: ArrayLike) -> Floats:
    """sum_t best[t, i] - got[t, i]: what i lost against deciding every round alone; `(..., T, n)` to `(..., n)`.

    At least 0 where `best` is the most that each round could give.
    """
    return np.asarray((np.asarray(best, dtype=np.float64) - np.asarray(got, dtype=np.float64)).sum(axis=-2))


def best_nash_welfare(utilities: ArrayLike, steps: int = 5000) -> float:
    """The largest geometric mean of summed utilities that lotteries over each round's decisions reach.

    `utilities` `(T, n, a)` of at least 0. The Eisenberg-Gale program max sum_i log sum_t x_t . u_i^t over distributions
    x_t, by the multiplicative steps x_t <- x_t grad_t / (x_t . grad_t), which never lower it, until the gap that the
    gradient certifies is 1e-9, or for `steps` of them. No sequence of decisions has more, up to that gap. 0 if somebody
    can never get anything.

    Source: the offline benchmark of R. Freeman, S. Zahedi and V. Conitzer, Fair and efficient social choice in dynamic
    settings, IJCAI 2017.
    """
    u = np.asarray(utilities, dtype=np.float64)
    _, n, choices = u.shape
    if (u.max(axis=2).sum(axis=0) <= 0).any():
        return 0.0
    u = u[u.any(axis=(1, 2))]  # a round that gives nothing to anybody decides nothing
    x = np.full((len(u), choices), 1 / choices)
    total = (u * x[:, None, :]).sum(axis=(0, 2))
    for _ in range(steps):
        gain = (u / total[:, None]).sum(axis=1)
        if gain.max(axis=1).sum() - n <= 1e-9:
            break
        x *= gain
        x /= x.sum(axis=1, keepdims=True)
        total = (u * x[:, None, :]).sum(axis=(0, 2))
    return float(nash_welfare(total))


@metric("cumulative_regret", scope="stakeholder", horizon="cumulative", better="lower")
def round_cumulative_regret(view: Evaluation) -> Floats:
    """Sum over the rounds so far of the utility of the own best slate less that of the delivered one."""
    return np.maximum(view.history.best_total - view.history.total, 0.0)
