import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.alignment.centroids import centroid_weights, rank_order_centroids


@pytest.mark.parametrize(
    ("n", "published"),
    [  # Barron & Barrett (1996), table of ROC weights, and Edwards & Barron (1994)
        (2, [0.75, 0.25]),
        (3, [0.6111, 0.2778, 0.1111]),
        (4, [0.5208, 0.2708, 0.1458, 0.0625]),
        (5, [0.4567, 0.2567, 0.1567, 0.0900, 0.0400]),
        (6, [0.4083, 0.2417, 0.1583, 0.1028, 0.0611, 0.0278]),
    ],
)
def test_the_published_weights(n, published):
    np.testing.assert_allclose(rank_order_centroids(n), published, atol=5e-5)


@pytest.mark.parametrize("n", [1, 3, 6])
def test_they_are_the_mean_of_random_ordered_weights(n):
    draws = np.sort(np.random.default_rng(1).dirichlet(np.ones(n), size=40_000), axis=1)[:, ::-1]
    np.testing.assert_allclose(rank_order_centroids(n), draws.mean(axis=0), atol=3e-3)


def test_no_attributes_have_no_weights():
    assert rank_order_centroids(0).shape == (0,)
    assert centroid_weights([]).shape == (0,)
    with pytest.raises(ValueError, match="negative"):
        rank_order_centroids(-1)


def test_weights_follow_the_scores():
    np.testing.assert_allclose(centroid_weights([-3.0, 9.0, 0.5]), rank_order_centroids(3)[[2, 0, 1]])


def test_ties_share_the_centroids_they_span():
    np.testing.assert_allclose(centroid_weights([1.0, 5.0, 1.0]), [7 / 36, 11 / 18, 7 / 36])
    np.testing.assert_allclose(centroid_weights([2.0, 2.0, 2.0, 2.0]), [0.25] * 4)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8))
def test_weights_sum_to_one_and_keep_the_weak_order(scores):
    weights = centroid_weights(scores)
    assert weights.sum() == pytest.approx(1)
    for i, first in enumerate(scores):
        for j, second in enumerate(scores):
            assert (weights[i] > weights[j] + 1e-12) == (first > second)


def test_a_score_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match="finite"):
        centroid_weights([1.0, float("nan")])
