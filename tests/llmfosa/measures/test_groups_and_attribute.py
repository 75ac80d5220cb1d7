"""Accuracy by group, areas under curves, and the quality of an inferred attribute."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.llmfosa.measures import attribute_quality, auc, by_group, roc


def test_means_and_gap_over_those_who_have_the_measure():
    found = by_group([1.0, 0.0, np.nan, 0.2, 9.0], [0, 0, 0, 1, -1], 3)
    np.testing.assert_array_equal(found.means, [0.5, 0.2, np.nan])
    np.testing.assert_array_equal(found.counts, [2, 1, 0])
    assert found.gap == pytest.approx(0.3)


def test_one_group_has_no_gap():
    assert np.isnan(by_group([1.0, 2.0], [0, 0]).gap)


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=30))
def test_the_area_is_the_share_of_pairs_in_order_and_that_under_the_curve(rows):
    scores, positive = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    if positive.all() or not positive.any():
        assert np.isnan(auc(scores, positive))
        return
    differences = scores[positive][:, None] - scores[~positive]
    expected = np.mean((differences > 0) + 0.5 * (differences == 0))
    assert auc(scores, positive) == pytest.approx(expected)
    curve = roc(scores, positive)
    area = np.sum(np.diff(curve.false_positive) * (curve.true_positive[1:] + curve.true_positive[:-1]) / 2)
    assert area == pytest.approx(expected)


def test_certain_and_right_is_perfect():
    found = attribute_quality(np.eye(3)[[0, 1, 2, 1]], [0, 1, 2, -1])
    assert (found.auc, found.accuracy, found.ece, found.brier, found.users) == (1, 1, 0, 0, 3)
    assert np.isnan(found.confusion_error)


def test_probabilities_that_come_true_are_calibrated_and_bolder_ones_are_not():
    draw = np.random.default_rng(0)
    chance = draw.random(40000)
    truth = (draw.random(40000) < chance).astype(int)
    honest = attribute_quality(np.column_stack([1 - chance, chance]), truth)
    assert honest.ece < 0.01
    assert honest.brier == pytest.approx(2 * np.mean(chance * (1 - chance)), abs=0.01)
    assert honest.log_loss == pytest.approx(0.5, abs=0.01)  # the mean entropy of a uniform chance is half a nat
    bold = np.where(chance > 0.5, 0.99, 0.01)
    assert attribute_quality(np.column_stack([1 - bold, bold]), truth).ece == pytest.approx(0.24, abs=0.01)


def test_the_figures_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    draw = np.random.default_rng(0)
    posterior, truth = draw.dirichlet(np.ones(3), 200), draw.integers(0, 3, 200)
    found = attribute_quality(posterior, truth)
    assert found.auc == pytest.approx(metrics.roc_auc_score(truth, posterior, multi_class="ovr"))
    assert found.log_loss == pytest.approx(metrics.log_loss(truth, posterior))


def test_confusion_matrices_are_judged_after_matching():
    true = np.array([[[0.8, 0.2], [0.3, 0.7]]])
    found = attribute_quality(np.eye(2), [0, 1], true[:, ::-1] + [[[0.02, -0.02], [0, 0]]], true)
    assert found.confusion_error == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("posterior", "codes", "message"),
    [
        ([[0.5, 0.5]], [2], "do not fit codes"),
        ([[0.5, 0.2]], [0], "do not sum to 1"),
        ([[0.5, 0.5]], [-1], "no user is known"),
    ],
)
def test_what_is_no_posterior_is_refused(posterior, codes, message):
    with pytest.raises(ValueError, match=message):
        attribute_quality(posterior, codes)
