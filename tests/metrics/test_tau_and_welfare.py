"""Kendall's tau-b against SciPy, and the welfare functions by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from simulator.metrics import kendall_tau
from simulator.metrics.gini import gini
from simulator.metrics.kendall_tau import tau_b
from simulator.metrics.nash_welfare import nash_welfare
from simulator.metrics.utilitarian import utilitarian_welfare


@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(1, 6))
def test_tau_b_agrees_with_scipy_on_random_data_with_ties(seed, m, levels):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, levels, (2, 5, m))
    constant = [len(set(a)) == 1 or len(set(b)) == 1 for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    expected = [np.nan if c else kendalltau(a, b).statistic for a, b, c in zip(x, y, constant, strict=True)]
    assert tau_b(x, y) == pytest.approx(np.array(expected), abs=1e-12, nan_ok=True)


def test_tau_b_is_the_same_in_blocks(monkeypatch):
    x, y = np.random.default_rng(1).integers(0, 9, (2, 3, 4, 30))
    at_once = tau_b(x, y)
    monkeypatch.setattr(kendall_tau, "_BLOCK", 400)
    assert (tau_b(x, y) == at_once).all()


def test_tau_b_broadcasts_one_ranking_against_many():
    rows = np.array([[0, 1, 2], [2, 1, 0], [0, 0, 0]])
    assert tau_b(rows, [0, 1, 2]) == pytest.approx([1, -1, np.nan], nan_ok=True)


def test_nash_welfare_is_the_geometric_mean():
    assert nash_welfare(np.array([0.2, 0.8]), np.ones(2)) == pytest.approx(0.4)
    assert nash_welfare(np.array([0.1, 0.8]), np.array([1.0, 2.0])) == pytest.approx(0.4)
    assert nash_welfare(np.array([[0.0, 1.0], [1.0, 1.0]]), np.ones(2)).tolist() == [0, 1]


def test_nobody_without_weight_counts_in_weighted_welfare():
    assert nash_welfare(np.array([0.0, 0.5]), np.array([0.0, 1.0])) == pytest.approx(0.5)
    assert utilitarian_welfare(np.array([0.0, 0.5]), np.array([0.0, 1.0])) == pytest.approx(0.5)
    assert np.isnan(nash_welfare(np.array([0.3, 0.5]), np.zeros(2)))
    assert np.isnan(utilitarian_welfare(np.array([0.3, 0.5]), np.zeros(2)))


def test_gini_of_nothing_to_share_is_equal():
    assert gini(np.zeros(3)) == 0
    assert gini(np.array([0.4])) == 0
    assert np.isnan(gini(np.zeros(0)))
