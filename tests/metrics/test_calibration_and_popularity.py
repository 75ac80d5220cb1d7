"""Calibration, popularity and diversity: against SciPy and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon, pdist
from scipy.stats import entropy

from simulator.derivations.distance import haversine_km
from simulator.metrics.calibration import distribution, jensen_shannon, popularity_tiers, steck_kl
from simulator.metrics.catalogue_use import catalogue_coverage, catalogue_gini
from simulator.metrics.diversity import geographic_distance, intra_list_distance
from simulator.metrics.popularity import mean_popularity, popularity_lift


@st.composite
def distributions(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    counts = rng.integers(0, 4, (2, draw(st.integers(1, 6)))) + np.array([[0], [0]])
    counts[:, 0] += 1
    return counts / counts.sum(axis=1, keepdims=True)


@given(distributions())
@settings(max_examples=50)
def test_jensen_shannon_is_the_square_of_scipys_distance(pair):
    p, q = pair
    assert jensen_shannon(p, q) == pytest.approx(jensenshannon(p, q, 2) ** 2, abs=1e-12)
    assert 0 <= jensen_shannon(p, q) <= 1 + 1e-12


@given(distributions(), st.floats(0.01, 0.99))
@settings(max_examples=50)
def test_steck_agrees_with_scipys_divergence_and_is_bounded(pair, alpha):
    p, q = pair
    found = steck_kl(p, q, alpha)
    assert found == pytest.approx(entropy(p, (1 - alpha) * q + alpha * p), abs=1e-12)
    assert 0 <= found <= -np.log(alpha) + 1e-12


def test_distributions_leave_out_what_has_no_kind():
    members = [[True, True, True, False], [False, False, True, False]]
    assert distribution([0, 1, -1, 1], members, 2) == pytest.approx(
        np.array([[0.5, 0.5], [np.nan, np.nan]]), nan_ok=True
    )
    assert np.isnan(steck_kl([np.nan, np.nan], [0.5, 0.5]))
    assert jensen_shannon([[1, 0], [0.5, 0.5]], [0, 1]) == pytest.approx([1, jensenshannon([0.5, 0.5], [0, 1], 2) ** 2])


def test_head_and_tail_are_a_fifth_of_the_known_items_each():
    popularity = [5, 1, 9, np.nan, 3, 7, 2, 8, 4, 6, 0]
    tiers = popularity_tiers(popularity)
    assert np.flatnonzero(tiers == 0).tolist() == [2, 7]
    assert np.flatnonzero(tiers == 2).tolist() == [1, 10]
    assert tiers[3] == -1
    assert popularity_tiers([1, 1, 1]).tolist() == [0, 1, 2]  # equal ones by the items' order; 0.6 of an item is one


def test_popularity_lift_by_hand():
    popularity = np.array([10.0, 4, np.nan, 2])
    profiles = np.array([[False, True, True, True], [False, False, True, False]])
    liked = mean_popularity(popularity, profiles)
    assert liked == pytest.approx([3, np.nan], nan_ok=True)
    slate = mean_popularity(popularity, [True, True, False, False])
    assert popularity_lift(slate, liked) == pytest.approx([(7 - 3) / 3, np.nan], nan_ok=True)
    assert np.isnan(popularity_lift(7.0, 0.0))


@given(st.integers(0, 2**32 - 1), st.integers(2, 6))
@settings(max_examples=30)
def test_intra_list_distance_agrees_with_scipys_cosine_distance(seed, k):
    features = np.random.default_rng(seed).random((2, k, 3)) + 0.01
    expected = [pdist(slate, "cosine").mean() for slate in features]
    assert intra_list_distance(features) == pytest.approx(np.array(expected), abs=1e-12)


def test_single_items_have_no_diversity_and_items_without_features_are_unlike():
    assert np.isnan(intra_list_distance(np.ones((1, 3))))
    assert intra_list_distance([[0, 0], [1, 0]]) == 1


def test_geographic_distance_is_the_mean_over_pairs():
    # Paris, London, Berlin and one without a place; Paris to London is 344 km
    latitude, longitude = np.array([48.8567, 51.5072, 52.52, np.nan]), np.array([2.3522, -0.1275, 13.405, 0])
    pairs = [(0, 1), (0, 2), (1, 2)]
    expected = [haversine_km(latitude[i], longitude[i], latitude[j], longitude[j]) for i, j in pairs]
    assert expected[0] == pytest.approx(344, abs=1)
    assert geographic_distance(latitude, longitude) == pytest.approx(np.mean(expected))
    assert np.isnan(geographic_distance(latitude[2:], longitude[2:]))
    assert geographic_distance([0, 0], [0, 180]) == pytest.approx(np.pi * 6371.0088)


def test_use_of_the_catalogue_counts_what_was_never_delivered():
    counts = [0, 0, 3, 1]
    total, n = 4, 4
    by_formula = (n + 1 - 2 * sum((n - k) * c for k, c in enumerate(sorted(counts))) / total) / n
    assert catalogue_gini(counts) == pytest.approx(by_formula)
    assert catalogue_gini([0, 0, 2, 2]) == 0.5  # a list of the same two items is not equal
    assert catalogue_coverage(counts) == 0.5
    assert catalogue_coverage([[0, 0], [1, 0]]).tolist() == [0, 0.5]
