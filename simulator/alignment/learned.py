"""An objective learned from past choices: a discrete-choice model of rankings, with its uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simulator.profile import Floats, Ints

MOST_STEPS = 200
RIDGE = 0.01


@dataclass(frozen=True)
class Learned:
    """What a choice model found in somebody's rankings.

    Attributes:
        weights: `(J,)` signed weights on the attributes, |weights| adding up to 1; all 0 if nothing was learned.
        errors: `(J,)` standard errors of the weights.
        sharpness: the coefficients' size before scaling: how much of a choice the attributes explain, 0 for none.
        choices: how many choices the fit saw.
        fit: McFadden's 1 - log L / log L_0, 1 for choices that are all foreseen.
    """

    weights: Floats
    errors: Floats
    sharpness: float
    choices: int
    fit: float


def learn(
    features: Sequence[Floats], ranks: Sequence[Ints], *, ridge: float = RIDGE, depth: int | None = None
) -> Learned:
    """Fit signed attribute weights to rankings by the Plackett-Luce model; two items a ranking make it Bradley-Terry's.

        P(ranking) = prod_t exp(b x_t) / sum_{s not yet ranked} exp(b x_s)

    The logarithm, less ridge / 2 |b|^2 per choice, is maximised by Newton's method; it is concave. Without the ridge,
    rankings that some weights explain without a fault would have no finite b. Standard errors come from the inverse of
    the curvature, carried over to the scaled weights by the delta method.

    Args:
        features: one array `(m_i, J)` a ranking, of the items' attributes on [0, 1].
        ranks: one array `(m_i,)` a ranking: tier of every item, 0 = best, m_i = unranked. The items of a tier count as
            chosen one by one, each from that tier and what lies below (Breslow's treatment of ties).
        ridge: at least 0, per choice.
        depth: how many tiers of a ranking count; all but the last by default.

    Raises:
        ValueError: no two arrays belong together.

    Sources: R. L. Plackett, The analysis of permutations, Applied Statistics 24, 1975; R. A. Bradley and M. E. Terry,
    Rank analysis of incomplete block designs, Biometrika 39, 1952; D. McFadden, Conditional logit analysis of
    qualitative choice behavior, 1974.
    """
    chosen, sets = _choices(features, ranks, depth)
    columns = features[0].shape[1] if features else 0
    count = len(chosen)
    if count == 0 or columns == 0:
        return Learned(np.zeros(columns), np.zeros(columns), 0.0, 0, 0.0)
    penalty = ridge * count
    beta = np.zeros(columns)
    value, slope, curvature = _likelihood(beta, chosen, sets, penalty)
    null = value
    for _ in range(MOST_STEPS):
        step = np.linalg.solve(curvature, slope)
        size = 1.0
        while True:
            tried = _likelihood(beta + size * step, chosen, sets, penalty)
            if tried[0] >= value or size < 1e-8:
                break
            size /= 2
        gained = tried[0] - value
        beta, (value, slope, curvature) = beta + size * step, tried
        if gained < 1e-10 * max(1.0, abs(value)):
            break
    likelihood = value + penalty / 2 * float(beta @ beta)
    total = float(np.abs(beta).sum())
    fit = 1 - likelihood / null if null < 0 else 0.0
    if total < 1e-9:
        return Learned(np.zeros(columns), np.zeros(columns), 0.0, count, fit)
    weights = beta / total
    scaling = (np.eye(columns) - np.outer(weights, np.sign(beta))) / total
    covariance = scaling @ np.linalg.inv(curvature) @ scaling.T
    return Learned(weights, np.sqrt(np.clip(np.diagonal(covariance), 0.0, None)), total, count, fit)


def _choices(
    features: Sequence[Floats], ranks: Sequence[Ints], depth: int | None
) -> tuple[Floats, list[tuple[Floats, Ints]]]:
    """The attributes of what was chosen `(c, J)`, and per ranking its items with the tiers that were chosen from."""
    if len(features) != len(ranks) or any(len(x) != len(r) for x, r in zip(features, ranks, strict=False)):
        raise ValueError("every ranking needs the attributes of its items, and the other way round")
    chosen, sets = [], []
    for x, tiers in zip(features, ranks, strict=True):
        last = int(tiers.max(initial=0))
        below = last if depth is None else min(depth, last)
        picked = np.flatnonzero(tiers < below)
        if len(picked):
            chosen.append(x[picked])
            sets.append((x, np.stack([tiers, np.where(tiers < below, tiers, -1)])))
    columns = features[0].shape[1] if features else 0
    return (np.concatenate(chosen) if chosen else np.zeros((0, columns))), sets


def _likelihood(
    beta: Floats, chosen: Floats, sets: Sequence[tuple[Floats, Ints]], penalty: float
) -> tuple[float, Floats, Floats]:
    """Log likelihood less penalty, its gradient `(J,)` and its negative curvature `(J, J)`."""
    value = float((chosen @ beta).sum())
    slope = chosen.sum(axis=0)
    curvature = penalty * np.eye(len(beta))
    for x, (tiers, counted) in sets:
        utilities = x @ beta
        choices = counted[counted >= 0]
        open_items = tiers[None, :] >= choices[:, None]
        shifted = np.where(open_items, utilities - utilities.max(), -np.inf)
        top = shifted.max(axis=1, keepdims=True)
        weights = np.exp(shifted - top)
        mass = weights.sum(axis=1, keepdims=True)
        shares = weights / mass
        value -= float((np.log(mass) + top + utilities.max()).sum())
        means = shares @ x
        slope = slope - means.sum(axis=0)
        curvature = curvature + (shares.sum(axis=0)[:, None] * x).T @ x - means.T @ means
    return value - penalty / 2 * float(beta @ beta), slope - penalty * beta, curvature
