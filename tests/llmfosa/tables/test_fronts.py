"""Differences between fronts at equal accuracy."""

import numpy as np
import pytest

from simulator.llmfosa.tables import difference_at
from tests.llmfosa.tables.trained import trained


def fronts(seeds=5):
    found = trained(seeds)
    return (found.front(method, "ndcg@10", "dp@10") for method in ("fairer", "plain"))


def test_parallel_fronts_differ_by_their_distance_everywhere():
    found = difference_at(*fronts())
    np.testing.assert_allclose([each.difference.mean for each in found.at], -0.02)
    assert found.overall.difference.mean == pytest.approx(-0.02)
    assert found.overall.difference.n == 5
    assert found.lower
    assert all(found.compared)


def test_between_its_points_a_front_is_straight():
    first, second = {0: [[0.1, 0.2], [0.3, 0.6]]}, {0: [[0.1, 0.1], [0.2, 0.2], [0.3, 0.5]]}
    found = difference_at(first, second, [0.15, 0.2, 0.25])
    np.testing.assert_allclose([each.difference.mean for each in found.at], [0.15, 0.2, 0.15])


def test_a_point_that_another_beats_does_not_bend_the_front():
    first, second = {0: [[0.1, 0.2], [0.2, 0.5], [0.3, 0.4]]}, {0: [[0.1, 0.2], [0.3, 0.4]]}
    (at,) = difference_at(first, second, [0.2]).at
    assert at.difference.mean == pytest.approx(0)


def test_methods_are_compared_only_where_both_come_within_the_tolerance():
    first, second = {0: [[0.10, 0.2], [0.20, 0.3]]}, {0: [[0.2025, 0.1], [0.3, 0.2]]}
    found = difference_at(first, second, [0.15, 0.2, 0.2025, 0.25])
    known = [not np.isnan(each.difference.mean) for each in found.at]
    assert known == [False, True, True, False]
    assert found.compared == (False, True, True, False)
    assert found.at[1].difference.mean == pytest.approx(0.2)
    np.testing.assert_allclose(difference_at(first, second).quality, [0.20125])
    apart = difference_at(first, {0: [[0.3, 0.1]]})
    assert len(apart.quality) == 0
    assert np.isnan(apart.overall.difference.mean)
    assert not apart.lower


def test_only_seeds_that_both_have_are_paired():
    first, second = fronts()
    del first[0], second[4]
    assert difference_at(first, second).overall.difference.n == 3
    assert difference_at(first, {}).overall.difference.n == 0


def test_noise_is_no_win():
    draw = np.random.default_rng(1)
    first, second = (
        {
            seed: np.column_stack([[0.1, 0.2, 0.3], np.array([0.2, 0.3, 0.4]) + draw.normal(0, 0.01)])
            for seed in range(5)
        }
        for _ in range(2)
    )
    assert not difference_at(first, second).lower
    assert not difference_at(second, first).lower


def test_one_seed_is_no_win():
    assert not difference_at(*fronts(seeds=1)).lower


def test_what_is_no_front_is_refused():
    with pytest.raises(ValueError, match="pairs of finite"):
        difference_at({0: [[0.1, np.nan]]}, {0: [[0.1, 0.2]]})
    with pytest.raises(ValueError, match="at least 0"):
        difference_at({}, {}, within=-1)
