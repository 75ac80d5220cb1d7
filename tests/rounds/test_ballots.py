"""Ballots from numbers: ties, a step towards the tentative outcome, and what a slate is worth."""

from __future__ import annotations

import numpy as np
import pytest

from simulator import Profile, mediate
from simulator.rounds.ballots import concede, ranking_by, satisfaction


def test_equal_utilities_tie_and_keep_the_item_order() -> None:
    assert ranking_by(np.array([0.2, 0.9, 0.2, 0.9, 0.1]), "abcde").tiers == (("b", "d"), ("a", "c"), ("e",))


@pytest.mark.parametrize("values", [[0.5], [0.5, 0.5, 0.5], [1.0, 0.5, 0.0], [0.0, 0.5, 1.0], []])
def test_every_item_stands_in_the_ranking_once(values: list[float]) -> None:
    items = "abc"[: len(values)]
    assert sorted(ranking_by(np.array(values), items)) == list(items)


def test_a_concession_mixes_own_utility_with_the_place_in_the_outcome() -> None:
    outcome = mediate(Profile.from_rankings([["c", "a", "b"]], items="abc"), "borda")
    moved = concede(np.array([1.0, 0.6, 0.0]), outcome, 0.25)
    assert moved.tolist() == pytest.approx([0.75 + 0.125, 0.45, 0.25])  # places 2, 3, 1 of 3: 1/2, 0, 1


@pytest.mark.parametrize(("concession", "expected"), [(0.0, [1.0, 0.6, 0.0]), (1.0, [0.5, 0.0, 1.0])])
def test_no_concession_keeps_the_ballot_and_a_full_one_takes_over_the_outcome(
    concession: float, expected: list[float]
) -> None:
    outcome = mediate(Profile.from_rankings([["c", "a", "b"]], items="abc"), "borda")
    assert concede(np.array([1.0, 0.6, 0.0]), outcome, concession).tolist() == pytest.approx(expected)


def test_one_item_leaves_nothing_to_concede() -> None:
    outcome = mediate(Profile.from_rankings([["a"]]), "borda")
    assert concede(np.array([0.4]), outcome, 0.5).tolist() == [0.2]


def test_satisfaction_is_a_share_of_ones_own_best_slate() -> None:
    utilities = np.array([0.7, 0.625, 0.5, 0.375, 0.3])
    assert satisfaction(utilities, (4, 3)) == pytest.approx(0.675 / 1.325)
    assert satisfaction(utilities, (1, 0)) == pytest.approx(1)


def test_who_is_worth_nothing_anywhere_is_satisfied_by_anything() -> None:
    assert satisfaction(np.zeros(3), (0,)) == 1
