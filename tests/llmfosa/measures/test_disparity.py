"""Demographic parity and equal opportunity as Jensen-Shannon distances, and their floors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.spatial.distance import jensenshannon

from simulator.llmfosa.measures import demographic_parity, disparity, equal_opportunity, floor, js_distance
from tests.llmfosa.measures.sparse import matrix

weights = arrays.arrays(np.float64, st.tuples(st.just(2), st.integers(1, 20)), elements=st.floats(0, 100)).filter(
    lambda rows: (rows.sum(axis=1) > 1e-3).all()
)


@settings(max_examples=100, deadline=None)
@given(rows=weights)
def test_two_groups_have_the_distance_of_scipy(rows):
    expected = jensenshannon(rows[0], rows[1])
    # Near 0 the square root makes rounding of 1e-16 in the divergence one of 1e-8 in the distance.
    assert float(js_distance(rows)) == pytest.approx(np.nan_to_num(expected), abs=1e-7)


def test_disjoint_groups_are_as_far_apart_as_can_be():
    assert float(js_distance(np.eye(2))) == pytest.approx(np.sqrt(np.log(2)))
    assert float(js_distance(np.eye(5))) == pytest.approx(np.sqrt(np.log(5)))


def test_a_group_that_is_shown_nothing_is_left_out():
    assert float(js_distance([[1, 0], [0, 1], [0, 0]])) == pytest.approx(np.sqrt(np.log(2)))
    assert np.isnan(js_distance([[1, 0], [0, 0]]))


def published_way(top, groups, m):
    """Item counts of both groups as in the code of FairMI, by SciPy."""
    counts = np.zeros((2, m))
    for row, group in zip(top, groups, strict=True):
        for item in row:
            if group >= 0 and item >= 0:
                counts[group, item] += 1
    return jensenshannon(counts[0], counts[1])


def recommended(seed=0, n=60, m=25, k=5):
    draw = np.random.default_rng(seed)
    groups = draw.integers(-1, 2, n)
    top = np.array([draw.permutation(m)[:k] for _ in range(n)])
    test = matrix([draw.choice(m, 8, replace=False).tolist() for _ in range(n)], m)
    return top, groups, test, m


def test_demographic_parity_counts_the_items_of_both_groups():
    top, groups, _, m = recommended()
    top[3, 2:] = -1
    assert demographic_parity(top, groups, m) == pytest.approx(published_way(top, groups, m))


def test_equal_opportunity_counts_test_items_only():
    top, groups, test, m = recommended()
    wanted = np.where(np.take_along_axis(test.toarray(), top, axis=1) > 0, top, -1)
    assert equal_opportunity(top, test, groups, m) == pytest.approx(published_way(wanted, groups, m))


def test_neither_unknown_users_nor_unused_codes_change_it():
    top, groups, _, m = recommended()
    known = groups >= 0
    expected = demographic_parity(top[known], groups[known], m)
    assert demographic_parity(top, groups, m) == pytest.approx(expected)
    assert demographic_parity(top, np.where(groups == 1, 7, groups), m) == pytest.approx(expected)


def test_one_group_has_no_disparity():
    assert np.isnan(demographic_parity(np.array([[0], [1]]), [0, 0], 2))


def test_the_floor_is_the_measure_with_permuted_labels(monkeypatch):
    top, groups, test, m = recommended()
    whole = floor(top, groups, m, test=test, permutations=7, seed=3)
    draw = np.random.default_rng(3)
    known = np.flatnonzero(groups >= 0)
    expected = []
    for _ in range(7):
        labels = groups.copy()
        labels[known] = draw.permutation(groups[known])
        expected.append(equal_opportunity(top, test, labels, m))
    np.testing.assert_allclose(whole.values, expected)
    assert whole.mean == pytest.approx(np.mean(expected))
    assert whole.low <= whole.mean <= whole.high
    monkeypatch.setattr(disparity, "CELLS", 2 * m * 2)  # two permutations at once
    np.testing.assert_array_equal(floor(top, groups, m, test=test, permutations=7, seed=3).values, whole.values)


def test_groups_that_mean_nothing_lie_within_their_floor_and_others_above():
    top, groups, _, m = recommended(n=600)
    found = floor(top, groups, m, permutations=200)
    assert found.low * 0.8 < demographic_parity(top, groups, m) < found.high * 1.2
    apart = np.where(groups[:, None] == 1, top % 10, top)
    assert demographic_parity(apart, groups, m) > floor(apart, groups, m).high * 2


def test_the_floor_falls_as_users_become_more():
    few, many = (floor(*(recommended(n=n)[place] for place in (0, 1, 3)), seed=1).mean for n in (100, 1600))
    assert many == pytest.approx(few / 4, rel=0.15)


def test_what_does_not_fit_is_refused():
    top, groups, _, m = recommended()
    with pytest.raises(ValueError, match="do not fit groups"):
        demographic_parity(top, groups[:-1], m)
    with pytest.raises(ValueError, match="but there are 5 items"):
        demographic_parity(top, groups, 5)
    with pytest.raises(ValueError, match="at least 1"):
        floor(top, groups, m, permutations=0)
