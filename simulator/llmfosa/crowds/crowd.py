"""What a crowd model found, and the expectation maximisation that all of them share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from simulator.llmfosa.crowds.majority import shares
from simulator.profile import Floats

TINY = 1e-300  # what the logarithm of an impossible label is taken of


@dataclass(frozen=True, eq=False)
class Crowd:
    """A fitted crowd model of n users, P annotators and A values.

    Attributes:
        posterior: `(n, A)` probability of each value for each user; the prior where nobody labelled the user.
        prior: `(A,)` share of each value.
        confusion: `(P, A, A)` row-stochastic; [i, a, k] is the probability that annotator i says k of a user with a.
        trace: `(T,)` what the model maximised, after every iteration: the log likelihood of the labels plus the log
            density (up to a constant) of the smoothing; it never decreases.
        log_likelihood: of the labels alone, at the end.
    """

    posterior: Floats
    prior: Floats
    confusion: Floats
    trace: Floats
    log_likelihood: float


def maximise(
    votes: Floats,
    confusion_of: Callable[[Floats], Floats],
    penalty: Callable[[Floats], float],
    *,
    smoothing: float,
    iterations: int,
    tol: float,
) -> Crowd:
    """Expectation maximisation from the shares of the votes, which makes it deterministic.

    Args:
        votes: `(n, P, A)` counts.
        confusion_of: the M-step, from the posterior `(n, A)` to confusion matrices `(P, A, A)`.
        penalty: what that M-step adds to the log likelihood, a log density of the matrices.
        smoothing: pseudo-counts of each value in the prior.
        iterations: at most so many.
        tol: stop once an iteration adds less than this share of the objective's size.

    Raises:
        ValueError: smoothing or tol is negative, or there is no iteration.
    """
    if not 0 <= smoothing < np.inf or not 0 <= tol < np.inf or iterations < 1:
        raise ValueError(
            f"smoothing {smoothing} and tol {tol} should be finite and at least 0, iterations {iterations} at least 1"
        )
    n, annotators, values = votes.shape
    flat = votes.reshape(n, annotators * values)
    posterior = shares(votes)
    trace: list[float] = []
    while True:
        prior = posterior.sum(axis=0) + smoothing
        prior = prior / prior.sum() if prior.sum() > 0 else np.full(values, 1 / values)
        confusion = confusion_of(posterior)
        logs = np.log(np.maximum(confusion, TINY)).transpose(0, 2, 1).reshape(annotators * values, values)
        log_prior = np.log(np.maximum(prior, TINY))
        joint = flat @ logs + log_prior
        highest = joint.max(axis=1, keepdims=True)
        weight = np.exp(joint - highest)
        total = weight.sum(axis=1, keepdims=True)
        posterior = weight / total
        log_likelihood = float((np.log(total) + highest).sum())
        trace.append(log_likelihood + smoothing * float(log_prior.sum()) + penalty(confusion))
        done = len(trace) > 1 and trace[-1] - trace[-2] <= tol * max(1.0, abs(trace[-1]))
        if done or len(trace) == iterations:
            return Crowd(posterior, prior, confusion, np.array(trace), log_likelihood)
