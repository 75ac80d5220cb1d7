"""Utilitarian, egalitarian, leximin and Nash on small profiles that are worked out by hand."""

from functools import cmp_to_key

import numpy as np
import pytest

from simulator.mediation import mediate
from simulator.mediators.leximin import leximin_ranks
from simulator.profile import Profile


def tiers(values, rule, weights=None, items="abcdef"):
    return mediate(Profile.from_utilities(values, items[: len(values[0])], weights), rule).tiers


def test_egalitarian_looks_at_the_worst_off_alone():
    assert tiers([[0.2, 0.9, 0.3], [0.9, 0.1, 0.3]], "egalitarian") == (("c",), ("a",), ("b",))
    assert tiers([[0.3, 0.4], [0.3, 0.3]], "egalitarian") == (("a", "b"),)


def test_egalitarian_leaves_out_ballots_without_weight():
    assert tiers([[0.9, 0.5], [0.0, 0.4]], "egalitarian", [1, 0]) == (("a",), ("b",))


def test_leximin_goes_on_to_the_next_worst_off():
    assert tiers([[0.3, 0.4], [0.3, 0.3]], "leximin") == (("b",), ("a",))
    # 1 2 3 beats 1 1 4
    assert tiers([[3, 1], [1, 4], [2, 1]], "leximin") == (("a",), ("b",))


def test_leximin_without_scores_says_so():
    assert mediate(Profile.from_utilities([[1, 0]], "ab"), "leximin").scores is None


def test_leximin_weights_are_multiplicities():
    # sorted lists: a 0 1 1, b 0 0 1, c 0 0 1
    assert tiers([[0, 1, 1], [1, 0, 0]], "leximin", [1, 2]) == (("a",), ("b", "c"))


def test_leximin_order_is_that_of_repeated_ballots():
    rng = np.random.default_rng(11)
    for _ in range(200):
        values = rng.integers(0, 3, size=(4, 6)) / 2
        weights = rng.integers(0, 4, size=4)
        lists = [sorted(np.repeat(column, weights).tolist()) for column in values.T]
        best_first = sorted(lists, key=cmp_to_key(lambda x, y: (x < y) - (x > y)))
        different = [lst for i, lst in enumerate(best_first) if i == 0 or lst != best_first[i - 1]]
        expected = [different.index(lst) for lst in lists]
        assert leximin_ranks(values, weights.astype(float)).tolist() == expected
        assert leximin_ranks(values, weights / 10).tolist() == expected


def test_nash_scores_are_weighted_geometric_means():
    outcome = mediate(Profile.from_utilities([[0.9, 0.5], [0.1, 0.4]], "ab", [1, 2]), "nash")
    assert outcome.scores == pytest.approx({"a": (0.9 * 0.1**2) ** (1 / 3), "b": (0.5 * 0.4**2) ** (1 / 3)})


def test_nash_prefers_more_positive_utilities_then_their_product():
    values = [[0.0, 0.9, 0.1, 0.0, 0.0], [0.0, 0.0, 0.1, 0.5, 0.8], [0.9, 0.9, 0.1, 0.9, 0.9]]
    assert tiers(values, "nash") == (("c",), ("b",), ("e",), ("d",), ("a",))
    assert mediate(Profile.from_utilities(values, "abcde"), "nash").scores["b"] == 0


def test_nash_scores_of_nobody_are_zero():
    assert mediate(Profile.from_rankings(["ab"], [0]), "nash").scores == {"a": 0, "b": 0}


def test_nash_counts_the_weight_of_positive_utilities():
    assert tiers([[0.9, 0.0], [0.9, 0.0], [0.0, 0.1]], "nash", [1, 1, 3]) == (("b",), ("a",))


def test_scores_that_differ_by_rounding_are_tied():
    # 0.1 + 0.2 is not 0.3 in binary
    assert tiers([[0.1, 0.3], [0.2, 0.0]], "utilitarian") == (("a", "b"),)
    assert tiers([[0.1, 0.2], [0.2, 0.1], [0.7, 0.7]], "nash") == (("a", "b"),)


def test_small_and_large_utilities_are_told_apart():
    assert tiers([[1e-12, 2e-12]], "utilitarian") == (("b",), ("a",))
    assert tiers([[1e12, 1.0, 2.0]], "utilitarian") == (("a",), ("c",), ("b",))
