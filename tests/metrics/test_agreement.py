"""Agreement between rankings: against SciPy, against definitions by enumeration, and between neighbouring measures."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr, weightedtau

from simulator.metrics import kendall_tau
from simulator.metrics.graded_agreement import graded_agreement
from simulator.metrics.kendall_distance import kendall_distance, normalised_kendall_distance, top_k_distance
from simulator.metrics.rank_distance import footrule, spearman
from simulator.metrics.rbo import rbo, rbo_of_lists
from simulator.metrics.weighted_tau import weighted_tau


@st.composite
def tied_pairs(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return rng.integers(0, draw(st.integers(1, 7)), (2, 4, draw(st.integers(2, 9))))


@st.composite
def orders(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    m = draw(st.integers(2, 9))
    return rng.permutation(m), rng.permutation(m)


def constant(x):
    return len(set(x.tolist())) == 1


@given(tied_pairs())
@settings(max_examples=25)
def test_spearman_agrees_with_scipy(pair):
    x, y = pair
    expected = [np.nan if constant(a) or constant(b) else spearmanr(a, b).statistic for a, b in zip(x, y, strict=True)]
    assert spearman(x, y) == pytest.approx(np.array(expected), abs=1e-12, nan_ok=True)


@given(tied_pairs())
@settings(max_examples=25)
def test_weighted_tau_agrees_with_scipy(pair):
    x, y = pair
    expected = [
        np.nan if constant(a) or constant(b) else weightedtau(a, b).statistic for a, b in zip(x, y, strict=True)
    ]
    assert weighted_tau(x, y) == pytest.approx(np.array(expected), abs=1e-12, nan_ok=True)


@given(orders())
@settings(max_examples=25)
def test_distance_and_tau_are_the_same_information_without_ties(pair):
    x, y = pair
    pairs = len(x) * (len(x) - 1) / 2
    assert 1 - 2 * kendall_distance(x, y) / pairs == pytest.approx(kendalltau(x, y).statistic)


@given(tied_pairs(), st.floats(0, 1))
@settings(max_examples=25)
def test_kendall_distance_counts_pairs(pair, penalty):
    x, y = pair
    expected = [
        sum(
            1 if (a[i] - a[j]) * (b[i] - b[j]) < 0 else penalty * ((a[i] == a[j]) != (b[i] == b[j]))
            for i, j in combinations(range(len(a)), 2)
        )
        for a, b in zip(x, y, strict=True)
    ]
    assert kendall_distance(x, y, penalty) == pytest.approx(np.array(expected))


def fagin(first, second, p):
    """K^(p) of two top-k lists by the four cases of Fagin, Kumar and Sivakumar 2003."""
    place = [{item: at for at, item in enumerate(items)} for items in (first, second)]
    total = 0.0
    for i, j in combinations(sorted({*first, *second}), 2):
        held = [[item in known for item in (i, j)] for known in place]
        if held == [[True, True], [True, True]]:
            total += (place[0][i] - place[0][j]) * (place[1][i] - place[1][j]) < 0
        elif [True, True] in held:
            both = held.index([True, True])
            other = held[1 - both]
            if not any(other):
                total += p
            else:
                listed, missing = (i, j) if other[0] else (j, i)
                total += place[both][missing] < place[both][listed]
        else:
            total += 1  # one item in the one list alone, the other in the other
    return total


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.sampled_from([0, 0.5, 1]))
@settings(max_examples=25)
def test_on_top_k_lists_it_is_fagins_distance(seed, k, penalty):
    rng = np.random.default_rng(seed)
    lists = [rng.choice(6, k, replace=False).tolist() for _ in range(2)]
    assert top_k_distance(*lists, penalty) == pytest.approx(fagin(*lists, penalty))


def test_lists_without_a_common_item_are_furthest_apart():
    assert top_k_distance("abc", "xyz", 0) == 9
    assert top_k_distance("abc", "xyz", 0.5) == 9 + 0.5 * 3 * 2
    assert top_k_distance("", "") == 0


def test_kendall_distance_is_the_same_in_blocks(monkeypatch):
    x, y = np.random.default_rng(1).integers(0, 9, (2, 3, 4, 30))
    at_once = kendall_distance(x, y, 0.3)
    monkeypatch.setattr(kendall_tau, "_BLOCK", 400)
    assert kendall_distance(x, y, 0.3) == pytest.approx(at_once, abs=1e-9)


def test_one_ranking_against_many():
    many = np.array([[0, 1, 2], [2, 1, 0], [0, 0, 0]])
    assert normalised_kendall_distance(many, [0, 1, 2]).tolist() == [0, 1, 0.5]
    assert footrule(many, [0, 1, 2]).tolist() == [0, 4, 2]
    assert spearman(many, [0, 1, 2]) == pytest.approx([1, -1, np.nan], nan_ok=True)
    assert rbo(many, [0, 1, 2]) == pytest.approx(
        [1, float(rbo([2, 1, 0], [0, 1, 2])), float(rbo([0, 0, 0], [0, 1, 2]))]
    )


@given(orders())
@settings(max_examples=25)
def test_footrule_lies_between_one_and_two_kendall_distances(pair):
    kendall = kendall_distance(*pair)
    assert kendall <= footrule(*pair) <= 2 * kendall  # Diaconis and Graham 1977
    assert footrule(*pair) <= len(pair[0]) ** 2 // 2


@given(tied_pairs())
@settings(max_examples=25)
def test_measures_are_symmetric_and_know_a_ranking_again(pair):
    x, y = pair
    for measure in (kendall_distance, footrule, rbo):
        assert measure(x, y) == pytest.approx(measure(y, x))
        assert measure(x, x) == pytest.approx(np.full(len(x), 1.0 if measure is rbo else 0.0))


@given(orders(), st.floats(0.05, 0.99))
@settings(max_examples=25)
def test_rbo_of_rankings_without_ties_is_that_of_their_lists(pair, p):
    x, y = pair
    lists = np.argsort(x).tolist(), np.argsort(y).tolist()
    assert rbo(x, y, p) == pytest.approx(rbo_of_lists(*lists, p))


def test_rbo_of_lists_of_different_lengths_by_hand():
    # S = a b, L = b a c d: X = 0 2 2 2; equation 32 of Webber, Moffat and Zobel with s = 2, l = 4
    p = 0.9
    agreement = [0, 1, 2 / 3 + 2 * 1 / (2 * 3), 2 / 4 + 2 * 2 / (2 * 4)]
    series = (1 - p) / p * sum(a * p**d for d, a in enumerate(agreement, start=1))
    expected = series + ((2 - 2) / 4 + 2 / 2) * p**4
    assert rbo_of_lists("ab", "bacd", p) == pytest.approx(expected)
    assert rbo_of_lists("bacd", "ab", p) == pytest.approx(expected)
    assert rbo_of_lists("ab", "ab", p) == pytest.approx(1)
    assert rbo_of_lists("ab", "cd", p) == 0
    assert np.isnan(rbo_of_lists("", "a"))


def test_rbo_of_ties_by_hand():
    # a and b tie at 1, against a before b: at depth 1 two items against one, 2 * 1 / 3
    p = 0.5
    assert rbo([0, 0], [0, 1], p) == pytest.approx((1 - p) / p * (2 / 3 * p + 1 * p**2) + 1 * p**2)


def test_graded_agreement_by_hand():
    ballot = [0, 1, 2, 4]  # a b c ranked, d not
    one, two, three = 1, 1 / np.log2(3), 1 / np.log2(4)
    ideal = one * one + two * two
    assert graded_agreement(ballot, [0, 1]) == pytest.approx(1)
    assert graded_agreement(ballot, [1, 0]) == pytest.approx((two * one + one * two) / ideal)
    assert graded_agreement(ballot, [2, 3]) == pytest.approx(three * one / ideal)
    assert np.isnan(graded_agreement([4, 4, 4, 4], [0, 1]))
    assert graded_agreement([[0, 1, 2, 4], [1, 0, 2, 4]], [0, 1]).shape == (2,)
