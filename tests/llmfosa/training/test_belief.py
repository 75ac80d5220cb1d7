"""The posterior and the share of common errors against loops, and on annotators whose errors are known."""

import itertools
import math

import numpy as np
import pytest

from simulator.llmfosa.simulated import independent, shared
from simulator.llmfosa.synthetic import generate
from simulator.llmfosa.training.belief import combined, known_first, shared_errors


def drawn(n=12, personas=4, values=3, seed=0):
    """C, F and labels with gaps, all at random."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(-1, values, (n, personas))
    return rng.dirichlet(np.ones(values), n), rng.dirichlet(np.ones(values), (personas, values)), labels


@pytest.mark.parametrize("weight", [0.0, 0.4, 1.0])
def test_the_posterior_is_the_weighted_product(weight):
    classified, confusion, labels = drawn()
    found = combined(classified, confusion, labels, votes=weight)
    for user in range(len(labels)):
        joint = []
        for a in range(3):
            evidence = [confusion[i, a, k] ** weight for i, k in enumerate(labels[user]) if k >= 0]
            joint.append(classified[user, a] * math.prod(evidence))
        np.testing.assert_allclose(found[user], np.array(joint) / sum(joint), atol=1e-12)


def rho_by_loops(classified, confusion, labels):
    """The formula of `shared_errors` user by user, pair by pair, value by value."""
    (n, values), personas = classified.shape, len(confusion)
    ratios = []
    for i, j in itertools.combinations(range(personas), 2):
        above = below = 0.0
        for u in range(n):
            if labels[u, i] < 0 or labels[u, j] < 0:
                continue
            m_i, m_j = classified[u] @ confusion[i], classified[u] @ confusion[j]
            above += (np.eye(values)[labels[u, i]] - m_i) @ (np.eye(values)[labels[u, j]] - m_j)
            for a in range(values):
                f, g = confusion[i, a], confusion[j, a]
                above -= classified[u, a] * (f - m_i) @ (g - m_j)
                below += classified[u, a] * np.sqrt(f * (1 - f) * g * (1 - g)).sum()
        if below:
            ratios.append(above / below)
    return float(np.clip(np.mean(ratios), 0, 1)) if ratios else 0.0


def test_common_errors_are_counted_as_the_formula_says():
    classified, confusion, labels = drawn(60, seed=3)
    labels[:30] = labels[:30, :1]  # half of the users mislead everybody
    found = shared_errors(classified, confusion, labels)
    assert 0 < found < 1
    assert found == pytest.approx(rho_by_loops(classified, confusion, labels), abs=1e-10)


@pytest.fixture(scope="module")
def crowd():
    return generate(4000, 30, seed=0, per_user=5)


@pytest.mark.parametrize("rho", [0.0, 0.3, 0.7, 1.0])
def test_simulated_annotators_with_so_many_common_errors_are_found_out(crowd, rho):
    confusions = np.array([[[0.7, 0.3], [0.3, 0.7]], [[0.65, 0.35], [0.35, 0.65]], [[0.72, 0.28], [0.28, 0.72]]])
    notes = shared(crowd, "group", confusions, rho, seed=1)
    errors = confusions[:, 0, 1]  # one draw in common: both err with the smaller probability, which is all they can
    most = np.mean(
        [(min(p, q) - p * q) / np.sqrt(p * (1 - p) * q * (1 - q)) for p, q in itertools.combinations(errors, 2)]
    )
    assert most > 0.85
    share = np.full((4000, 2), 0.5)
    assert shared_errors(share, confusions, notes.labels) == pytest.approx(rho * most, abs=0.05)
    sure = np.eye(2)[crowd.attributes["group"].codes]
    assert shared_errors(sure, confusions, notes.labels) == pytest.approx(rho * most, abs=0.05)


def test_votes_that_say_the_same_thing_count_as_one(crowd):
    confusions = np.tile([[0.7, 0.3], [0.3, 0.7]], (5, 1, 1))
    prior = np.full((4000, 2), 0.5)
    same = shared(crowd, "group", confusions, 1.0, seed=1).labels
    assert combined(prior, confusions, same).max() == pytest.approx(0.7, abs=0.02)
    alone = independent(crowd, "group", confusions, seed=1).labels
    assert combined(prior, confusions, alone).max() == pytest.approx(0.7**5 / (0.7**5 + 0.3**5), abs=0.01)


def test_one_annotator_and_users_without_a_label():
    classified, confusion, labels = drawn(personas=1)
    assert shared_errors(classified, confusion, labels) == 0
    labels[:] = -1
    np.testing.assert_allclose(combined(classified, confusion, labels), classified)
    classified, confusion, labels = drawn()
    labels[:, 1:] = -1  # no user has two labels
    assert shared_errors(classified, confusion, labels) == 0


def test_matrices_with_zeros_stay_finite():
    classified, labels = np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([[1, 1], [0, 1]])
    found = combined(classified, np.tile(np.eye(2), (2, 1, 1)), labels)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found.sum(1), 1)


def test_what_is_known_comes_before_the_classifier():
    found = known_first(np.full((2, 2), 0.5), np.eye(2), np.array([True, False]))
    np.testing.assert_array_equal(found, [[1, 0], [0.5, 0.5]])
