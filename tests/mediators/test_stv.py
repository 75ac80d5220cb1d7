"""The single transferable vote: every tie-breaking, a published count, quotas of few or fractional weights."""

import numpy as np
import pytest

from simulator.mediation import mediate
from simulator.outcome import MOST_SLATES
from simulator.profile import Profile
from tests.mediators.every_course import agrees, random_profile, stv_orders

FOOD = Profile.from_rankings(
    [["Orange"], ["Pear", "Orange"], ["Chocolate", "Strawberry"], ["Chocolate", "Sweets"], ["Strawberry"], ["Sweets"]],
    [4, 2, 8, 4, 1, 1],
)


def steps(outcome):
    return [(step.item, pytest.approx(step.value), step.act) for step in outcome.trace.steps]


@pytest.mark.parametrize("ties", [True, False], ids=["weak", "strict"])
def test_outcome_lists_what_every_way_to_break_ties_comes_to(ties):
    for seed in range(100):
        profile = random_profile(seed, ties=ties, most_items=4 if ties else 5)
        k = seed % profile.m + 1
        assert agrees(mediate(profile, "stv", k=k, tie="seeded", seed=seed), stv_orders(profile, k))


def test_count_of_the_food_election_is_the_published_one():
    outcome = mediate(FOOD, "stv", k=3)
    assert steps(outcome) == [
        ("Chocolate", 12, "elected"),
        ("Pear", 2, "eliminated"),
        ("Orange", 6, "elected"),
        ("Sweets", 3, "eliminated"),
        ("Strawberry", 5, "elected"),
    ]
    assert outcome.slates == (("Orange", "Chocolate", "Strawberry"),)
    assert outcome.ranking == ("Chocolate", "Orange", "Strawberry", "Sweets", "Pear")
    assert "the quota is 6" in outcome.trace.rule


def test_what_is_over_the_quota_moves_on_in_equal_parts_of_every_ballot():
    """Quota 4 of 10: a keeps 4 of its 8, so that every ballot behind it still weighs one half."""
    profile = Profile.from_rankings([["a", "b"], ["a", "c"], ["d"]], [6, 2, 2], items="abcd")
    counts = steps(mediate(profile, "stv", k=2))
    assert counts[:2] == [("a", 8, "elected"), ("c", 1, "eliminated")]
    assert ("b", 3, "elected") in counts


def test_ballots_with_tied_first_choices_keep_the_part_that_was_not_used():
    """Quota 3 of 8: a is elected with 4 + 1 of two shared ballots; of this 1, 2/5 go on to b, which has the other 1."""
    profile = Profile.from_rankings([["a"], [["a", "b"]], ["b"], ["c"]], [4, 2, 1, 1], items="abc")
    counts = steps(mediate(profile, "stv", k=2))
    assert counts[0] == ("a", 5, "elected")
    assert counts[1] == ("c", 1, "eliminated")
    assert counts[2] == ("b", 2 + 1 * (5 - 3) / 5, "elected")


def test_fewer_ballots_than_seats_share_the_seats():
    """With the quota 1 of whole ballots, the first choices alone would use up all weight."""
    profile = Profile.from_rankings(["abcxyz", "xyzabc"], items="abcxyz")
    outcome = mediate(profile, "stv", k=4)
    assert outcome.slates == (("a", "b", "x", "y"),)
    assert outcome.notes == ("The ballots weigh 2 in all, less than the 4 seats: the quota is 2 / 4.",)


def test_the_quota_counts_a_weight_of_1_as_one_ballot_and_rounds_down_what_is_left():
    thirds = Profile.from_rankings(["abc", "bca", "cab"], [1.1, 1.1, 1.1])
    assert "the quota is 2" in mediate(thirds, "stv", k=2).trace.rule
    tenths = Profile.from_rankings(["abc"] * 30, [0.1] * 30)
    assert "the quota is 2" in mediate(tenths, "stv", k=2).trace.rule


def test_a_solid_coalition_of_two_quotas_gets_two_seats_whatever_its_order():
    rng = np.random.default_rng(5)
    for _ in range(40):
        ours = [[*rng.permutation(list("abc")), *rng.permutation(list("xyz"))] for _ in range(6)]
        others = [[*rng.permutation(list("xyz")), *rng.permutation(list("abc"))] for _ in range(5)]
        for slate in mediate(Profile.from_rankings([*ours, *others], items="abcxyz"), "stv", k=3).slates:
            assert len(set(slate) & set("abc")) == 2


def test_seats_that_nobody_asks_for_can_go_to_anybody():
    profile = Profile.from_rankings([["a"], ["a"], ["b"]], items="abcdef")
    outcome = mediate(profile, "stv", k=3)
    assert outcome.complete
    assert sorted(map(sorted, outcome.slates)) == [["a", "b", item] for item in "cdef"]
    assert outcome.tiers == (("a",), ("b",), ("c", "d", "e", "f"))


def test_slates_that_are_too_many_to_list_are_told():
    outcome = mediate(Profile.from_rankings([["0"]], items=[str(item) for item in range(40)]), "stv", k=5)
    assert not outcome.complete
    assert len(outcome.slates) == MOST_SLATES
    assert outcome.slate == ("0", "1", "2", "3", "4")


def test_what_is_beyond_the_bound_is_said_and_not_hidden():
    ranks = np.random.default_rng(0).random((40, 100)).argsort(axis=1).argsort(axis=1)
    outcome = mediate(Profile(tuple(map(str, range(100))), ranks, np.ones(40)), "stv", k=4)
    assert not outcome.complete
    assert outcome.notes == (
        f"From {outcome.notes[0].split()[1]} items on there are more ways to break ties than were followed.",
    )
    assert sorted(outcome.order) == list(range(100))
    assert sorted(outcome.slate_indices) in [sorted(slate) for slate in outcome.tied_slates]


@pytest.mark.parametrize("scale", [1e-99, 1e-9, 1e98])
def test_weights_of_any_size_are_counted(scale):
    outcome = mediate(Profile(FOOD.items, FOOD.ranks, FOOD.weights * scale), "stv", k=3)
    assert outcome.ranking[0] == "Chocolate"
    assert set(outcome.slate) == {"Chocolate", "Orange", "Strawberry"}
