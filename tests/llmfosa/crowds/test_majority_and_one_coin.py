"""The two simpler crowd models."""

import numpy as np
import pytest

from simulator.llmfosa.crowds import empirical_confusion, majority, match, one_coin
from tests.llmfosa.crowds.annotators import drawn


def test_the_majority_wins_and_shares_are_counted():
    posterior, labels = majority(np.array([[0, 0, 1], [1, -1, 1], [-1, -1, -1]]), 2)
    np.testing.assert_allclose(posterior, [[2 / 3, 1 / 3], [0, 1], [0.5, 0.5]])
    np.testing.assert_array_equal(labels, [0, 1, -1])


def test_ties_fall_to_either_side_alike_and_by_the_seed_alone():
    tied = np.tile([0, 2], (4000, 1))
    first, again, other = (majority(tied, 3, seed)[1] for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()
    assert set(first.tolist()) == {0, 2}
    assert np.mean(first == 0) == pytest.approx(0.5, abs=0.03)


def test_one_coin_recovers_the_accuracies_it_assumes():
    accuracy = np.array([0.9, 0.7, 0.6, 0.8, 0.65])
    confusion = np.where(np.eye(4, dtype=bool), accuracy[:, None, None], (1 - accuracy[:, None, None]) / 3)
    truth = np.random.default_rng(0).integers(0, 4, 4000)
    found = one_coin(drawn(confusion, truth, seed=1, missing=0.1), 4)
    np.testing.assert_allclose(found.confusion[:, 0, 0], accuracy, atol=0.025)
    np.testing.assert_allclose(found.confusion, confusion, atol=0.025)
    assert (np.diff(found.trace) >= -1e-9 * np.abs(found.trace[1:])).all()


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 3.0])
def test_the_one_coin_objective_never_decreases(smoothing):
    labels = np.random.default_rng(0).integers(-1, 3, (15, 4))
    trace = one_coin(labels, 3, smoothing=smoothing, iterations=40, tol=0).trace
    assert len(trace) > 5
    assert (np.diff(trace) >= -1e-9 * np.abs(trace[1:])).all()


def test_one_coin_leaves_an_annotator_without_labels_at_chance():
    found = one_coin(np.array([[0, -1], [1, -1], [2, -1]]), 3)
    np.testing.assert_allclose(found.confusion[1], 1 / 3)


def test_counted_confusion_is_the_share_of_each_label_given_the_truth():
    labels = np.array([[0, 1], [0, 1], [1, -1], [1, 1], [0, 0]])
    found = empirical_confusion(labels, [0, 0, 0, 1, -1], 2)
    np.testing.assert_allclose(found, [[[2 / 3, 1 / 3], [0, 1]], [[0, 1], [0, 1]]])


def test_a_value_that_no_user_has_gives_a_uniform_row():
    np.testing.assert_allclose(empirical_confusion(np.array([[0]]), [0], 2)[0, 1], 0.5)


def test_one_renaming_serves_all_annotators():
    """The first annotator alone would fit better unrenamed; the three together fit better renamed."""
    swapped = np.array([[[0.1, 0.9], [0.8, 0.2]]] * 2)
    confusion = np.concatenate([np.array([[[0.6, 0.4], [0.45, 0.55]]]), swapped])
    truth = np.array([[[0.6, 0.4], [0.4, 0.6]], [[0.8, 0.2], [0.1, 0.9]], [[0.8, 0.2], [0.1, 0.9]]])
    renamed, error = match(confusion, truth)
    np.testing.assert_allclose(renamed[1], truth[1])
    np.testing.assert_allclose(renamed[0], [[0.45, 0.55], [0.6, 0.4]])
    assert error == pytest.approx((0.15 * 2 + 0.2 * 2) / 12)


def test_a_cycle_of_three_values_is_undone_in_its_direction():
    truth = np.array([[[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.1, 0.6]]])
    renamed, error = match(truth[:, [1, 2, 0]], truth)
    np.testing.assert_array_equal(renamed, truth)
    assert error == 0


def test_matrices_of_different_shapes_are_not_matched():
    with pytest.raises(ValueError, match="cannot be matched"):
        match(np.eye(2), np.eye(3))
