"""How far a delivered list agrees with ballots, and how fairly protected items fare in delivered lists."""

from math import log2

import numpy as np
import pytest

from simulator.allocation.agreement import agreement
from simulator.allocation.item_fairness import disparate_exposure, proportional_item, reciprocal_rank
from simulator.metrics.rbo import rbo_of_lists
from simulator.profile import Profile


def agreements(ballots, delivered, items="abcdef"):
    ranks = Profile.from_rankings(ballots, items=items).ranks
    return agreement(ranks, np.array([items.index(item) for item in delivered]))


def test_strict_ballots_get_the_rank_biased_overlap_of_their_tops():
    rng = np.random.default_rng(1)
    for _ in range(30):
        ballot, delivered = rng.permutation(list("abcdef")), rng.permutation(list("abcdef"))
        (found,) = agreements([ballot.tolist()], delivered[:4])
        assert found == pytest.approx(rbo_of_lists(ballot[:4].tolist(), delivered[:4].tolist()))


def test_a_list_of_the_ballot_s_own_best_is_full_agreement_whatever_its_ties_and_length():
    found = agreements(["abcdef", [["a", "b"], "c"], [["c", "b", "a", "d"]], "ab"], "abc")
    assert found[:3] == pytest.approx([1, 1, 1])
    assert found[3] == pytest.approx(1)  # it can ask for two items, and both are there first
    assert agreements(["def", []], "abc").tolist() == [0, 0]


def test_earlier_places_count_more():
    first, last = agreements(["axy", "xya"], "abc", items="abcxy")
    assert first > last > 0


def test_batches_are_their_profiles_one_by_one():
    rng = np.random.default_rng(3)
    ranks = rng.integers(0, 5, (2, 3, 4, 5))
    delivered = np.array([[rng.permutation(5)[:3] for _ in range(3)] for _ in range(2)])
    batch = agreement(ranks, delivered)
    assert batch.shape == (2, 3, 4)
    assert batch[1, 2] == pytest.approx(agreement(ranks[1, 2], delivered[1, 2]))


LISTS = np.array([[False, True, False], [True, False, False], [False, False, False]])


def test_share_of_protected_items_is_measured_by_its_target():
    assert proportional_item(LISTS, 0.4) == pytest.approx((2 / 9) / 0.4)
    assert proportional_item(LISTS, 0.2) == 1


def test_reciprocal_rank_takes_the_first_protected_place_of_each_list():
    assert reciprocal_rank(LISTS, 1.0) == pytest.approx((1 / 2 + 1 + 0) / 3)
    assert reciprocal_rank(LISTS, 0.5) == 1


def test_exposure_falls_with_the_logarithm_of_the_place():
    protected = 1 / log2(3) + 1
    others = (1 + 1 / 2) + (1 / log2(3) + 1 / 2) + (1 + 1 / log2(3) + 1 / 2)
    assert disparate_exposure(LISTS, 2.0) == pytest.approx((protected / 2) / (others / 7) / 2)
    assert disparate_exposure(LISTS, 1.0, group_sizes=(10, 20)) == pytest.approx((protected / 10) / (others / 20))
    assert disparate_exposure(np.ones((2, 3), dtype=bool)) == 1


@pytest.mark.parametrize("measure", [proportional_item, reciprocal_rank, disparate_exposure])
def test_without_a_list_nothing_is_owed_and_batches_are_taken(measure):
    assert measure(np.zeros((0, 10), dtype=bool), 0.2).tolist() == 1.0
    assert measure(np.zeros((4, 0, 10), dtype=bool), 0.2).tolist() == [1.0] * 4
    batch = np.random.default_rng(0).random((5, 3, 4)) < 0.3
    assert measure(batch, 0.9).tolist() == pytest.approx([float(measure(lists, 0.9)) for lists in batch])
    with pytest.raises(ValueError, match="target is 0"):
        measure(LISTS, 0)
