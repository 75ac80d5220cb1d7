"""Dawid and Skene's estimator on their own data, and on data whose confusion matrices are known."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from simulator.llmfosa.crowds import dawid_skene, majority, match
from simulator.llmfosa.measures import auc
from tests.llmfosa.crowds.anaesthetists import judgements
from tests.llmfosa.crowds.annotators import drawn


def test_the_anaesthetists_of_the_paper_have_the_published_error_rates():
    """Table 2 of Dawid and Skene (1979): shares of the four grades, and the error rates of observer 1."""
    found = dawid_skene(judgements(), 4, smoothing=0)
    np.testing.assert_allclose(found.prior, [0.40, 0.42, 0.11, 0.07], atol=0.005)
    first = [[0.89, 0.11, 0, 0], [0.07, 0.88, 0.05, 0], [0, 0.34, 0.66, 0]]  # of patients whose grade is 1, 2, 3
    np.testing.assert_allclose(found.confusion[0, :3], first, atol=0.006)


def test_known_confusion_matrices_are_recovered():
    draw = np.random.default_rng(0)
    confusion = draw.dirichlet(np.ones(3), (5, 3)) * 0.4 + 0.6 * np.eye(3)
    truth = draw.choice(3, 4000, p=[0.5, 0.3, 0.2])
    found = dawid_skene(drawn(confusion, truth, seed=1, missing=0.2), 3)
    assert np.abs(found.confusion - confusion).mean() < 0.02
    np.testing.assert_allclose(found.prior, [0.5, 0.3, 0.2], atol=0.03)


def test_experts_among_guessers_are_heard_where_the_majority_is_not():
    sharp, dull = np.array([[0.9, 0.1], [0.1, 0.9]]), np.array([[0.55, 0.45], [0.45, 0.55]])
    confusion = np.stack([sharp, sharp, dull, dull, dull, dull])
    truth = np.random.default_rng(0).integers(0, 2, 3000)
    labels = drawn(confusion, truth, seed=2)
    found = auc(dawid_skene(labels, 2).posterior[:, 1], truth == 1)
    assert found > auc(majority(labels, 2)[0][:, 1], truth == 1) + 0.02


def test_a_user_without_labels_has_the_prior():
    labels = np.array([[0, 0], [1, 1], [1, 1], [-1, -1]])
    found = dawid_skene(labels, 2)
    np.testing.assert_allclose(found.posterior[3], found.prior, atol=1e-3)


def test_an_annotator_that_never_labels_gets_uniform_rows():
    labels = np.array([[0, 0, -1], [1, 1, -1], [1, 0, -1]])
    for smoothing in (0.0, 0.1):
        np.testing.assert_allclose(dawid_skene(labels, 2, smoothing=smoothing).confusion[2], 0.5)


def test_repeated_judgements_count_like_a_pooled_annotator():
    """One annotator asked twice has one matrix: the share of k among all its answers."""
    labels = np.full((40, 1, 2), -1)
    labels[:, 0, 0] = np.repeat([0, 1], 20)
    labels[:10, 0, 1] = 0
    found = dawid_skene(labels, 2, smoothing=0, iterations=1)
    np.testing.assert_allclose(found.confusion[0], np.eye(2))


labelled = arrays.arrays(np.int64, st.tuples(st.integers(1, 12), st.integers(1, 4)), elements=st.integers(-1, 2))


@settings(max_examples=60, deadline=None)
@given(labels=labelled, smoothing=st.sampled_from([0.0, 0.01, 1.0]))
def test_the_objective_never_decreases_and_all_rows_are_distributions(labels, smoothing):
    found = dawid_skene(labels, 3, smoothing=smoothing, iterations=40, tol=0)
    assert (np.diff(found.trace) >= -1e-8 * np.maximum(1, np.abs(found.trace[1:]))).all()
    np.testing.assert_allclose(found.posterior.sum(axis=1), 1)
    np.testing.assert_allclose(found.confusion.sum(axis=2), 1)
    np.testing.assert_allclose(found.prior.sum(), 1)


@settings(max_examples=30, deadline=None)
@given(labels=labelled, seed=st.integers(0, 99))
def test_the_order_of_users_and_annotators_does_not_matter(labels, seed):
    draw = np.random.default_rng(seed)
    users, annotators = draw.permutation(labels.shape[0]), draw.permutation(labels.shape[1])
    one = dawid_skene(labels, 3, iterations=15)
    other = dawid_skene(labels[users][:, annotators], 3, iterations=15)
    np.testing.assert_allclose(other.posterior, one.posterior[users], atol=1e-7)
    np.testing.assert_allclose(other.confusion, one.confusion[annotators], atol=1e-7)


def test_the_log_likelihood_is_that_of_the_labels_summed_over_all_values():
    labels = np.array([[0, 1], [1, -1], [0, 0], [1, 1], [0, 1]])
    found = dawid_skene(labels, 2, smoothing=0.5, iterations=1)
    likelihood = 1.0
    for row in labels:
        likelihood *= sum(
            found.prior[a] * np.prod([found.confusion[i, a, label] for i, label in enumerate(row) if label >= 0])
            for a in range(2)
        )
    assert found.log_likelihood == pytest.approx(np.log(likelihood))


def test_a_swap_of_the_latent_values_is_undone_by_matching():
    confusion = np.array([[[0.8, 0.2], [0.3, 0.7]]] * 3)
    renamed, error = match(confusion[:, ::-1], confusion)
    np.testing.assert_array_equal(renamed, confusion)
    assert error == 0


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (np.array([[0, 2]]), "label 2 of user 0 by annotator 1 is not in -1..1"),
        (np.array([[0.5, 1.0]]), "should be integers"),
        (np.array([0, 1]), "should be \\(users, annotators\\)"),
    ],
)
def test_what_are_no_labels_is_named_with_its_place(labels, message):
    with pytest.raises(ValueError, match=message):
        dawid_skene(labels, 2)


def test_parameters_below_zero_are_refused():
    with pytest.raises(ValueError, match="at least 0"):
        dawid_skene(np.array([[0, 1]]), 2, smoothing=-1)
