"""From option log probabilities to calibrated probabilities, without a single label.

A language model favours some words whatever it reads. Three corrections, none of which looks at a true value:

    z_upv = log P(v | history of u, persona p) - log P(v | nothing, p)       contextual calibration, Zhao et al. 2021
    z_upv <- z_upv - mean over users u' of z_u'pv                                    batch calibration, Zhou et al. 2023
    P_upv = softmax over v of (z_upv / T_p + b_pv)

The second takes in the first where there are many users, and leaves it alone where there are few. T_p is how far the
scores of a persona can be trusted: what makes its probabilities the best forecast of the *other* personas' choices,

    T_p = argmin over T of  - sum over u, q != p of  log softmax(z_up / T)[argmax_v z_uqv],

and never below the standard deviation of the difference between two values' scores, for agreement is not accuracy and
personas share a model's prejudices: the log odds of two values spread by at most 1. One persona alone has that T_p.
b_pv is 0, or, where shares of the values in the population are given, what makes the mean of P over users equal them
(iterative proportional fitting).

Sources: Z. Zhao, E. Wallace, S. Feng, D. Klein and S. Singh, Calibrate before use, ICML 2021 (arXiv 2102.09690).
H. Zhou, X. Wan, L. Proleev, D. Mincu, J. Chen, K. Heller and S. Roy, Batch calibration, ICLR 2024 (arXiv 2309.17249).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FEWEST_FOR_BATCH = 10
LOWEST, HIGHEST, STEPS = 1.0, 20.0, 64  # of the temperature, in deviations
_ROUNDS = 200  # of proportional fitting, which converges geometrically


@dataclass(frozen=True, eq=False)
class Calibrated:
    """Calibrated judgements.

    Attributes:
        probabilities: `(n, P, A)`; rows sum to 1, NaN where the scores were.
        temperatures: `(P,)` in nats; NaN for a persona that says the same about everybody.
    """

    probabilities: Floats
    temperatures: Floats


def calibrate(scores: Floats, neutral: Floats, *, prior: Floats | None = None) -> Calibrated:
    """Probabilities of A values for n users by P personas.

    Args:
        scores: `(n, P, A)` log probabilities given a history in nats; NaN where there are none.
        neutral: `(P, A)` log probabilities given a content-free history; NaN counts as no correction.
        prior: `(A,)` shares of the values among the users, where they are known; None leaves them alone.
    """
    z = scores - np.where(np.isfinite(neutral), neutral, 0.0)
    z = z - z.mean(axis=-1, keepdims=True)
    known = np.asarray(np.isfinite(z).all(axis=-1))
    count = known.sum(axis=0)[:, None]
    means = np.where(known[..., None], z, 0.0).sum(axis=0) / np.maximum(count, 1)
    z = z - np.where(count >= FEWEST_FOR_BATCH, means, 0.0)
    values = z.shape[-1]
    squares = (np.where(known[..., None], z, 0.0) ** 2).sum(axis=(0, 2)) / (np.maximum(count[:, 0], 1) * values)
    deviations = np.sqrt(2 * values / (values - 1) * squares)  # of z_v - z_w, for z is centred over the values
    temperatures = np.array([_temperature(z, known, p, deviations[p]) for p in range(z.shape[1])])
    logits = z / np.where(np.isfinite(temperatures), temperatures, 1.0)[:, None]
    if prior is not None:
        logits = logits + _offsets(logits, known, prior)
    return Calibrated(np.where(known[..., None], _softmax(logits), np.nan), temperatures)


def _temperature(z: Floats, known: NDArray[np.bool_], p: int, deviation: float) -> float:
    if deviation <= 1e-9:
        return np.nan
    grid = deviation * np.geomspace(LOWEST, HIGHEST, STEPS)
    others = np.delete(np.where(known[..., None], z, -np.inf).argmax(axis=-1), p, axis=1)  # (n, P - 1)
    heard = np.delete(known, p, axis=1) & known[:, [p]]
    if not heard.any():
        return float(deviation)
    mine = np.where(known[:, p, None], z[:, p], 0.0)
    surprise = -np.log(np.maximum(_softmax(mine / grid[:, None, None]), 1e-300))  # (steps, n, A)
    votes = np.zeros(mine.shape)
    rows, columns = np.nonzero(heard)
    np.add.at(votes, (rows, others[rows, columns]), 1.0)
    return float(grid[np.tensordot(surprise, votes, axes=2).argmin()])


def _offsets(logits: Floats, known: NDArray[np.bool_], prior: Floats) -> Floats:
    """`(P, A)` offsets that make the mean probability over users equal the prior."""
    offsets = np.zeros(logits.shape[1:])
    count = np.maximum(known.sum(axis=0), 1)[:, None]
    for _ in range(_ROUNDS):
        shares = np.where(known[..., None], _softmax(logits + offsets), 0.0).sum(axis=0) / count
        step = np.log(prior) - np.log(np.maximum(shares, 1e-300))
        offsets = np.where(known.sum(axis=0)[:, None] > 0, offsets + step, 0.0)
        if np.abs(step).max() < 1e-12:
            break
    return offsets


def _softmax(logits: Floats) -> Floats:
    shifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True))
