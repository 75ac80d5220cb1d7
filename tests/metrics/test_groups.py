"""Fairness to groups of items: values by hand, and what must hold for any grouping."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.metrics.attention import attention, awrf, group_attention, shares_of
from simulator.metrics.exposure import demographic_parity, disparate_treatment, group_exposure, item_exposure
from simulator.metrics.ndkl import ndkl
from simulator.metrics.protected_items import protected_exposure, protected_rank, protected_share
from simulator.metrics.rank_parity import attribute_rank_parity, favoured_pair_rate


@st.composite
def grouped(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    m = draw(st.integers(2, 9))
    return rng.permutation(m), rng.integers(0, draw(st.integers(1, 3)), m)


def test_exposure_falls_with_the_place_and_is_0_for_items_left_out():
    assert item_exposure([2, 0], 3).tolist() == [1 / np.log2(3), 0, 1]
    assert item_exposure([[2, 0], [1, 2]], 3).tolist() == [[1 / np.log2(3), 0, 1], [0, 1, 1 / np.log2(3)]]


def test_items_without_a_group_take_places_but_count_for_nobody():
    assert group_exposure([0, 1, 2], [-1, 0, 1]) == pytest.approx([1 / np.log2(3), 1 / 2])
    assert group_attention([0, 1, 2], [-1, 0, 1], 2, p=0.5).tolist() == [2 / 3, 1 / 3]
    assert favoured_pair_rate([0, 1, 2], [-1, 0, 1]).tolist() == [1, 0]
    assert ndkl([0, 1, 2], [-1, 0, 1]) == ndkl([0, 1], [0, 1])


def test_disparate_treatment_is_exposure_by_merit():
    # exposure 1 and 1/log2(3); merit in the same ratio is fair, equal merit is not
    assert disparate_treatment([0, 1], [0, 1], [np.log2(3), 1]) == pytest.approx(1)
    assert disparate_treatment([0, 1], [0, 1], [1, 1]) == pytest.approx(1 / np.log2(3))
    assert disparate_treatment([0, 1], [0, 1], [1, 0]) == 1  # a group without merit is left out


def test_attention_shares_by_hand():
    assert attention(3, "geometric", 0.2) == pytest.approx([0.2, 0.16, 0.128])
    assert attention(2, "log") == pytest.approx([1, 1 / np.log2(3)])
    assert group_attention([0, 1, 2], [0, 0, 1], 2, p=0.5) == pytest.approx([0.75 / 0.875, 0.125 / 0.875])
    assert awrf([0.75, 0.25], [0.5, 0.5]) == 0.75
    assert awrf([[1, 0], [0.5, 0.5]], [0.5, 0.5]).tolist() == [0.5, 1]
    assert shares_of([0, 0, 1, -1], 2) == pytest.approx([2 / 3, 1 / 3])


def test_ndkl_of_two_items_by_hand():
    # first prefix all of group 0: ln 2; second prefix on target: 0
    assert ndkl([0, 1], [0, 1]) == pytest.approx(np.log(2) / (1 + 1 / np.log2(3)))
    assert ndkl([0, 1], [0, 1], target=[1, 0]) == np.inf
    assert np.isnan(ndkl([0], [-1]))


@given(grouped())
@settings(max_examples=40)
def test_favoured_pair_rates_count_mixed_pairs(case):
    order, codes = case
    place = np.argsort(order)
    for group, rate in enumerate(favoured_pair_rate(place, codes)):
        mixed = [(i, j) for i, j in combinations(range(len(codes)), 2) if (codes[i] == group) != (codes[j] == group)]
        won = sum((place[i] < place[j]) == (codes[i] == group) for i, j in mixed)
        assert rate == pytest.approx(won / len(mixed) if mixed else np.nan, nan_ok=True)


def test_tied_pairs_count_half():
    assert favoured_pair_rate([0, 0], [0, 1]).tolist() == [0.5, 0.5]
    assert attribute_rank_parity([0, 1, 2], [0, 1, 1]) == 1
    assert attribute_rank_parity([[0, 1, 1], [1, 0, 2]], [0, 1, 1]).tolist() == [1, 0]
    assert np.isnan(attribute_rank_parity([0, 1], [0, 0]))


@given(grouped())
@settings(max_examples=40)
def test_ranges_and_the_names_of_groups_do_not_matter(case):
    order, codes = case
    other = codes.max() - codes
    for measure in (demographic_parity, ndkl):
        assert measure(order, codes) == pytest.approx(measure(order, other), nan_ok=True)
    assert 0 <= demographic_parity(order, codes) <= 1
    assert ndkl(order, codes) >= 0
    count = int(codes.max()) + 1
    received = group_attention(order, codes, count)
    assert received.sum() == pytest.approx(1)
    assert 0 <= awrf(received, shares_of(codes, count)) <= 1
    assert awrf(received, received) == 1


def test_a_single_group_is_treated_as_it_is():
    assert demographic_parity([0, 1], [0, 0]) == 1
    assert ndkl([0, 1], [0, 0]) == 0


def test_protected_items_by_hand():
    slates = [[True, False], [False, False], [False, True]]
    assert protected_share(slates, target=1) == pytest.approx(2 / 6)
    assert protected_share(slates, target=0.25) == 1
    assert protected_rank(slates, target=1) == pytest.approx((1 + 0 + 1 / 2) / 3)
    second = 1 / np.log2(3)
    own, other = (1 + second) / 2, (1 + 1 + 2 * second) / 4
    assert protected_exposure(slates, target=2) == pytest.approx(own / other / 2)


def test_nobody_is_treated_unfairly_before_anything_was_delivered():
    nothing = np.zeros((0, 3), dtype=bool)
    assert [float(f(nothing, 0.5)) for f in (protected_share, protected_rank, protected_exposure)] == [1, 1, 1]
    assert protected_exposure([[True, True]], 5) == 1
    assert protected_exposure([[False, False]], 5) == 0
