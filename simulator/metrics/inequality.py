"""Inequality of what the stakeholders get, by the classical indices. Weights in the vote do not enter.

All of them take values of at least 0 with any leading batch axes, `(..., n)` to `(...)`, do not change when all values
are multiplied by the same positive number (but for `variance_fairness`) or change places, and are nan without values.
Where everybody has 0, everybody has the same: nothing is unequal.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.metrics.gini import gini
from simulator.metrics.parameters import AtLeast0
from simulator.profile import Bools, Floats

__all__ = ["atkinson", "generalized_entropy", "gini", "jain", "min_max_ratio", "theil", "variance_fairness"]


def jain(values: ArrayLike) -> Floats:
    """(sum x)^2 / (n sum x^2), in 1/n..1: 1 = all the same, k/n = k of n have the same and the others nothing.

    Source: R. Jain, D. Chiu and W. Hawe, A quantitative measure of fairness and discrimination, DEC-TR-301, 1984.
    """
    r, defined = _relative(values)
    square = (r**2).mean(axis=-1) if r.shape[-1] else np.ones(defined.shape)
    return np.where(defined, 1 / square, np.nan)


def atkinson(values: ArrayLike, epsilon: float = 0.5) -> Floats:
    """1 - (mean x^(1-e))^(1/(1-e)) / mean x, for e = 1: 1 - geometric mean / mean; in 0..1, 0 = all the same.

    Epsilon, at least 0, is the aversion to inequality; from 1 on, a single 0 among other values makes it 1.
    Source: A. B. Atkinson, On the measurement of inequality, 1970.
    """
    r, defined = _relative(values)
    if not r.shape[-1]:
        return np.full(defined.shape, np.nan)
    with np.errstate(divide="ignore"):
        logs = np.log(r)
    if epsilon == 1:
        log_mean = logs.mean(axis=-1)
    else:  # by logarithms: powers of small shares would overflow
        power = (1 - epsilon) * logs
        top = power.max(axis=-1, keepdims=True)
        endless = np.isinf(top)[..., 0]
        scaled = np.exp(power - np.where(np.isinf(top), 0.0, top), where=~np.isinf(top), out=np.zeros_like(power))
        mean = np.where(endless, 1.0, scaled.mean(axis=-1))
        log_mean = (np.log(mean) + top[..., 0]) / (1 - epsilon)
    return np.where(defined, np.clip(1 - np.exp(log_mean), 0.0, 1.0), np.nan)


def generalized_entropy(values: ArrayLike, alpha: float = 1.0) -> Floats:
    """mean((x/mu)^a - 1) / (a (a - 1)); a = 1: mean(x/mu ln x/mu), a = 0: -mean(ln x/mu); at least 0, 0 = all the same.

    a = 1 is Theil's T, a = 0 the mean log deviation, a = 2 half the squared coefficient of variation. Infinite for
    a <= 0 where somebody has 0 and another one has not. Source: A. F. Shorrocks, The class of additively decomposable
    inequality measures, 1980.
    """
    r, defined = _relative(values)
    if not r.shape[-1]:
        return np.full(defined.shape, np.nan)
    with np.errstate(divide="ignore", over="ignore"):
        if alpha == 0:
            entropy = -np.log(r).mean(axis=-1)
        elif alpha == 1:
            entropy = (r * np.log(np.where(r > 0, r, 1.0))).mean(axis=-1)
        else:
            entropy = (r**alpha - 1).mean(axis=-1) / (alpha * (alpha - 1))
    return np.where(defined, np.maximum(entropy, 0.0), np.nan)


def theil(values: ArrayLike) -> Floats:
    """Theil's T = mean(x/mu ln x/mu), in 0..ln n: 0 = all the same, ln n = one has everything.

    Source: H. Theil, Economics and Information Theory, 1967.
    """
    return generalized_entropy(values, 1.0)


def min_max_ratio(values: ArrayLike) -> Floats:
    """Smallest over largest, min x / max x, in 0..1: 1 = all the same.

    Source: L. Xiao et al., Fairness-aware group recommendation with Pareto-efficiency, RecSys 2017.
    """
    x = np.asarray(values, dtype=np.float64)
    if not x.shape[-1]:
        return np.full(x.shape[:-1], np.nan)
    most = x.max(axis=-1)
    return np.where(most > 0, x.min(axis=-1) / np.where(most > 0, most, 1.0), 1.0)


def variance_fairness(values: ArrayLike) -> Floats:
    """1 - Var x, the variance over all n (not n - 1); for values in 0..1 in 3/4..1, 1 = all the same.

    Source: L. Xiao et al., Fairness-aware group recommendation with Pareto-efficiency, RecSys 2017.
    """
    x = np.asarray(values, dtype=np.float64)
    return np.asarray(1 - x.var(axis=-1)) if x.shape[-1] else np.full(x.shape[:-1], np.nan)


def _relative(values: ArrayLike) -> tuple[Floats, Bools]:
    """Values over their mean (1 where all are 0), and whether there are any."""
    x = np.asarray(values, dtype=np.float64)
    if not x.shape[-1]:
        return x, np.zeros(x.shape[:-1], dtype=np.bool_)
    top = x.max(axis=-1, keepdims=True)
    scaled = np.where(top > 0, x / np.where(top > 0, top, 1.0), 1.0)  # by the largest first: tiny sums are inexact
    return scaled / scaled.mean(axis=-1, keepdims=True), np.ones(x.shape[:-1], dtype=np.bool_)


@metric("jain", scope="collective")
def round_jain(view: Evaluation) -> float:
    """Jain's index of the stakeholders' utilities of the delivered slate."""
    return float(jain(view.slate_utilities))


@metric("cumulative_jain", scope="collective", horizon="cumulative")
def cumulative_jain(view: Evaluation) -> float:
    """Jain's index of the stakeholders' summed utilities over all rounds so far."""
    return float(jain(view.history.total))


@metric("atkinson", scope="collective", better="lower")
def round_atkinson(view: Evaluation, *, epsilon: AtLeast0 = 0.5) -> float:
    """Atkinson's index of the stakeholders' utilities of the delivered slate; `epsilon` is the aversion, at least 0."""
    return float(atkinson(view.slate_utilities, epsilon))


@metric("cumulative_atkinson", scope="collective", horizon="cumulative", better="lower")
def cumulative_atkinson(view: Evaluation, *, epsilon: AtLeast0 = 0.5) -> float:
    """Atkinson's index of the stakeholders' summed utilities over all rounds so far."""
    return float(atkinson(view.history.total, epsilon))


@metric("generalized_entropy", scope="collective", better="lower")
def round_generalized_entropy(view: Evaluation, *, alpha: float = 1.0) -> float:
    """Generalized entropy of the stakeholders' utilities of the delivered slate; `alpha` = 1 is Theil's T."""
    return float(generalized_entropy(view.slate_utilities, alpha))


@metric("theil", scope="collective", better="lower")
def round_theil(view: Evaluation) -> float:
    """Theil's T of the stakeholders' utilities of the delivered slate."""
    return float(theil(view.slate_utilities))


@metric("cumulative_theil", scope="collective", horizon="cumulative", better="lower")
def cumulative_theil(view: Evaluation) -> float:
    """Theil's T of the stakeholders' summed utilities over all rounds so far."""
    return float(theil(view.history.total))


@metric("min_max_ratio", scope="collective")
def round_min_max_ratio(view: Evaluation) -> float:
    """Smallest over largest of the stakeholders' utilities of the delivered slate."""
    return float(min_max_ratio(view.slate_utilities))


@metric("variance_fairness", scope="collective")
def round_variance_fairness(view: Evaluation) -> float:
    """1 less the variance of the stakeholders' utilities of the delivered slate."""
    return float(variance_fairness(view.slate_utilities))
