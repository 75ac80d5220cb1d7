"""Slates against all slates of their size: the integer programs agree with going through them all."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.metrics.attainable import (
    dominating_slate,
    dominating_swaps,
    frontier_distance,
    is_pareto_efficient,
    price_of_fairness,
)


@st.composite
def rounds(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    m = draw(st.integers(1, 6))
    k = draw(st.integers(1, m))
    return rng.integers(0, 4, (draw(st.integers(1, 4)), m)) / 4, rng.choice(m, k, replace=False)


def gains(utilities, slate):
    """Mean gain `(S, n)` of every slate of this size over the given one."""
    slates = combinations(range(utilities.shape[1]), len(slate))
    return np.array(
        [utilities[:, other].mean(axis=1) - utilities[:, slate].mean(axis=1) for other in map(list, slates)]
    )


@given(rounds())
@settings(max_examples=40, deadline=None)
def test_pareto_efficiency_is_exact(case):
    found = dominating_slate(*case)
    better = (gains(*case) > -1e-12).all(axis=1) & (gains(*case) > 1e-12).any(axis=1)
    assert (found is None) == (not better.any())
    if found is not None:
        utilities, slate = case
        gain = utilities[:, found].mean(axis=1) - utilities[:, slate].mean(axis=1)
        assert (gain > -1e-9).all()
        assert gain.sum() == pytest.approx(gains(*case)[better].sum(axis=1).max())


@given(rounds())
@settings(max_examples=40, deadline=None)
def test_frontier_distance_is_exact(case):
    assert frontier_distance(*case) == pytest.approx(gains(*case).min(axis=1).max(), abs=1e-8)


@given(rounds())
@settings(max_examples=40, deadline=None)
def test_a_dominating_swap_makes_a_dominating_slate(case):
    utilities, slate = case
    for out, into in dominating_swaps(utilities, slate):
        gain = utilities[:, into] - utilities[:, out]
        assert gain.min() >= 0 < gain.max()
    if len(dominating_swaps(utilities, slate)):
        assert not is_pareto_efficient(utilities, slate)
    if len(slate) == 1:
        assert (len(dominating_swaps(utilities, slate)) == 0) == is_pareto_efficient(utilities, slate)


def test_two_exchanges_at_once_may_be_needed_to_dominate():
    # one gains with c and loses with d, the other the other way round
    utilities = np.array([[1, 1, 3, 0], [1, 1, 0, 3]])
    assert len(dominating_swaps(utilities, [0, 1])) == 0
    assert dominating_slate(utilities, [0, 1]).tolist() == [2, 3]


@given(rounds())
@settings(max_examples=40, deadline=None)
def test_price_of_fairness_is_what_the_slate_gives_up(case):
    utilities, slate = case
    total = utilities[:, slate].mean(axis=1).sum()
    most = (gains(*case).sum(axis=1) + total).max()
    expected = np.nan if most == 0 else (most - total) / most
    assert price_of_fairness(*case) == pytest.approx(expected, abs=1e-12, nan_ok=True)
