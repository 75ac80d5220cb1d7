"""Weights that a choice model recovers from rankings that were made with known ones."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from simulator.alignment.learned import learn


def rankings(weights: np.ndarray, rounds: int, items: int, noise: float, seed: int = 0):
    """Rankings by utility plus Gumbel noise, which is the Plackett-Luce model with coefficients weights / noise."""
    draw = np.random.default_rng(seed)
    features = [draw.random((items, len(weights))) for _ in range(rounds)]
    scores = [x @ weights + noise * draw.gumbel(size=items) for x in features]
    return features, [np.argsort(np.argsort(-score)) for score in scores]


WEIGHTS = np.array([0.5, -0.3, 0.2, 0.0])


def test_weights_are_recovered_within_their_errors() -> None:
    features, ranks = rankings(WEIGHTS, rounds=200, items=10, noise=0.2)
    found = learn(features, ranks, ridge=0.0)
    assert np.abs(found.weights - WEIGHTS) == pytest.approx(0, abs=0.05)
    assert (np.abs(found.weights - WEIGHTS) < 3.5 * found.errors).all()
    assert found.sharpness == pytest.approx(1 / 0.2, rel=0.1)
    assert found.choices == 200 * 9


def test_the_fit_is_the_maximum_that_scipy_finds() -> None:
    features, ranks = rankings(WEIGHTS, rounds=20, items=6, noise=0.5)

    def loss(beta: np.ndarray) -> float:
        total = 0.0
        for x, rank in zip(features, ranks, strict=True):
            order = np.argsort(rank)
            for place in range(len(order) - 1):
                rest = x[order[place:]] @ beta
                total -= rest[0] - np.log(np.exp(rest).sum())
        return total + 0.01 * 100 / 2 * beta @ beta

    best = minimize(loss, np.zeros(4), tol=1e-12).x
    found = learn(features, ranks)
    assert found.weights * found.sharpness == pytest.approx(best, abs=1e-4)


def test_errors_are_those_of_repeated_samples() -> None:
    fits = [learn(*rankings(WEIGHTS, 30, 8, 0.4, seed), ridge=0.0) for seed in range(120)]
    spread = np.std([fit.weights for fit in fits], axis=0)
    assert np.mean([fit.errors for fit in fits], axis=0) == pytest.approx(spread, rel=0.3)


def test_two_items_a_ranking_are_bradley_terrys_pairs() -> None:
    features, ranks = rankings(WEIGHTS, rounds=3000, items=2, noise=0.2)
    assert learn(features, ranks).weights == pytest.approx(WEIGHTS, abs=0.06)


def test_choices_without_noise_keep_finite_weights() -> None:
    features, ranks = rankings(WEIGHTS, rounds=40, items=12, noise=0.0)
    found = learn(features, ranks)
    assert found.weights == pytest.approx(WEIGHTS, abs=0.03)
    assert found.fit > 0.5


def test_ties_and_unranked_items_tell_as_much_as_they_say() -> None:
    x = np.array([[1.0], [0.5], [0.0]])
    assert learn([x], [np.array([0, 1, 1])]).weights.tolist() == [1.0]
    assert learn([x], [np.array([0, 3, 3])]).choices == 1
    assert learn([x], [np.array([3, 3, 3])]).choices == 0  # nothing is ranked
    assert learn([x], [np.array([0, 0, 0])]).choices == 0


def test_nothing_is_learned_from_nothing() -> None:
    assert learn([], []).choices == 0
    with pytest.raises(ValueError, match="every ranking needs"):
        learn([np.zeros((2, 1))], [])
