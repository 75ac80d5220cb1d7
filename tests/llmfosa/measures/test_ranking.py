"""NDCG in both conventions, recall and hits."""

import numpy as np
import pytest

from simulator.llmfosa.measures import averages, ranking
from tests.llmfosa.measures.sparse import matrix


def test_the_figures_of_a_list_worked_by_hand():
    """Test items 1, 4, 7; shown 4, 0, 1: hits in places 1 and 3."""
    found = ranking(np.array([[4, 0, 1]]), matrix([[1, 4, 7]], 9), at=(2, 3))
    gained, ideal_of_2, ideal_of_3 = 1 + 1 / np.log2(4), 1 + 1 / np.log2(3), 1 + 1 / np.log2(3) + 1 / np.log2(4)
    assert found["ndcg@2"][0] == pytest.approx(1 / ideal_of_2)
    assert found["ndcg_untruncated@2"][0] == pytest.approx(1 / ideal_of_3)
    assert found["ndcg@3"][0] == found["ndcg_untruncated@3"][0] == pytest.approx(gained / ideal_of_3)
    assert found["recall@2"][0] == pytest.approx(1 / 3)
    assert found["recall@3"][0] == pytest.approx(2 / 3)
    assert found["hit@2"][0] == 1


def test_ndcg_is_that_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    draw = np.random.default_rng(0)
    scores = draw.permuted(np.tile(np.arange(40.0), (30, 1)), axis=1)
    relevant = draw.random((30, 40)) < 0.2
    test = matrix([np.flatnonzero(row).tolist() for row in relevant], 40)
    found = ranking(np.argsort(-scores, axis=1), test, at=(10,))["ndcg@10"]
    expected = [metrics.ndcg_score(relevant[[u]], scores[[u]], k=10) for u in range(30)]
    np.testing.assert_allclose(found, expected)


def test_users_without_test_items_have_no_figure_and_do_not_count_in_the_mean():
    found = ranking(np.array([[0], [0], [1]]), matrix([[0], [], [0]], 2), at=(1,))
    np.testing.assert_array_equal(found["recall@1"], [1, np.nan, 0])
    assert averages(found)["hit@1"] == 0.5
    assert np.isnan(averages({"x": np.array([np.nan])})["x"])


def test_an_absent_item_is_no_hit_for_anyone():
    """-1 in row 1 must not read as the last item of row 0."""
    found = ranking(np.array([[0, 1], [0, -1]]), matrix([[4], [1]], 5), at=(2,))
    np.testing.assert_array_equal(found["hit@2"], [0, 0])


def test_unsorted_test_items_are_found():
    test = matrix([[0, 1, 2]], 3)
    test.indices[:] = [2, 0, 1]
    test.has_sorted_indices = False
    assert ranking(np.array([[0]]), test, at=(1,))["hit@1"][0] == 1


def test_nothing_in_the_test_part_gives_no_figures():
    assert np.isnan(ranking(np.array([[0]]), matrix([[]], 3), at=(1,))["ndcg@1"]).all()


def test_more_than_was_recommended_cannot_be_measured():
    with pytest.raises(ValueError, match="measures at 20"):
        ranking(np.zeros((1, 10), dtype=int), matrix([[0]], 3), at=(10, 20))
