"""How far a slate serves an objective: against all slates of its size."""

from itertools import combinations

import numpy as np
import pytest

from simulator.alignment.serving import RATINGS, rating, standing


def test_standing_by_hand():
    utilities = np.array([[0.0, 0.5, 1.0, 0.5], [1.0, 0.0, 0.0, 0.0]])
    # chance: 0.5 and 0.25; best of two: 0.75 and 0.5; slate {1, 2}: 0.75 and 0
    assert standing(utilities, np.array([1, 2])) == pytest.approx([1.0, -1.0])
    # slate {0, 1}: 0.25 and 0.5
    assert standing(utilities, np.array([0, 1])) == pytest.approx([-1.0, 1.0])


def test_chance_is_0_and_the_best_slate_is_1():
    utilities = np.random.default_rng(1).random((3, 7))
    every = np.array([standing(utilities, np.array(slate)) for slate in combinations(range(7), 3)])
    assert every.mean(axis=0) == pytest.approx(0.0, abs=1e-12)
    assert every.max(axis=0) == pytest.approx(1.0)


def test_a_stakeholder_to_whom_all_slates_are_alike_has_no_standing():
    flat = np.array([[0.3, 0.3, 0.3], [np.nan, np.nan, np.nan]])
    assert np.isnan(standing(flat, np.array([0]))).all()
    assert np.isnan(standing(np.array([[0.1, 0.9]]), np.array([0, 1]))).all()  # everything is delivered
    assert rating(standing(flat, np.array([0]))).tolist() == [-1, -1]


def test_ratings_are_thirds_of_the_way():
    codes = rating(np.array([-3.0, 0.0, 0.33, 1 / 3, 0.5, 0.66, 2 / 3, 1.0, np.nan]))
    assert [RATINGS[code] for code in codes[:-1]] == ["no", "no", "no", "partly", "partly", "partly", "yes", "yes"]
    assert codes[-1] == -1
