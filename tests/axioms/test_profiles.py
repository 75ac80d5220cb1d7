"""The profiles that rules are put to the test on."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

from simulator.axioms.ballots import kind_of, lifts, misreports, opinions, part_of, profile_of, with_ballot
from simulator.axioms.profiles import DRAWS, all_small, random_samples, worst_cases
from simulator.profile import Profile

KINDS = ("ranking", "approval", "utility")


def same(one, other):
    parts = ("ranks", "weights", "utilities", "approvals")
    return all(np.array_equal(getattr(one, part), getattr(other, part)) for part in parts)


@pytest.mark.parametrize("kind", KINDS)
def test_random_profiles_are_the_same_for_the_same_seed_and_of_every_family(kind):
    first, again = list(random_samples(kind, 80, 3)), list(random_samples(kind, 80, 3))
    assert all(same(one.profile, other.profile) for one, other in zip(first, again, strict=True))
    assert not all(
        same(a.profile, b.profile)
        for a, b in zip(first, random_samples(kind, 80, 4), strict=True)
        if a.profile.m == b.profile.m
    )
    assert {sample.family for sample in first} == set(DRAWS)
    assert all(1 <= sample.k <= sample.profile.m for sample in first)
    assert {kind_of(sample.profile) for sample in first} == {kind}
    assert any((sample.profile.weights == 0).any() for sample in first)
    assert any((np.sort(sample.profile.ranks) != np.arange(sample.profile.m)).any() for sample in first)


def test_a_cycle_has_no_condorcet_winner():
    ranks = [
        sample.profile.ranks
        for sample in random_samples("ranking", 400, 0)
        if sample.family == "cycles" and sample.profile.n == sample.profile.m >= 3 and sample.profile.weights.all()
    ]
    strict = [table for table in ranks if (np.sort(table) == np.arange(len(table))).all()]
    assert strict
    for table in strict:
        above = (table[:, :, None] < table[:, None, :]).sum(axis=0)
        assert ((above > above.T).sum(axis=1) < len(table) - 1).all()


def test_mallows_with_little_dispersion_stays_near_its_centre():
    random = np.random.default_rng(0)
    rows = np.concatenate([DRAWS["Mallows"](random, 20, 5) for _ in range(30)])
    assert len({tuple(row) for row in rows}) > 20
    assert sorted(rows[0]) == [0, 0.25, 0.5, 0.75, 1]


def test_all_small_profiles_are_all_of_them_but_for_names_and_order():
    """1, 6 and 21 multisets of 0, 1 and 2 of the 6 ballots on two items, by hand: 1 + 4 + 13 up to names."""
    two = [sample.profile for sample in all_small("ranking", 2, 2) if sample.profile.m == 2]
    assert len(two) == 18
    seen = set()
    for profile in two:
        for move in ([0, 1], [1, 0]):
            seen.add(tuple(sorted(map(tuple, profile.ranks[:, move].tolist()))))
    ballots = [(0, 2), (2, 0), (0, 0), (0, 1), (1, 0), (2, 2)]
    assert seen == {tuple(sorted(chosen)) for n in range(3) for chosen in combinations_with_replacement(ballots, n)}


@pytest.mark.parametrize("kind", KINDS)
def test_bad_profiles_have_nobody_nothing_and_one_item(kind):
    families = {sample.family: sample.profile for sample in worst_cases(kind)}
    assert families["no ballot"].n == 0
    assert families["one item"].m == 1
    assert not families["no weight"].weights.any()
    if kind != "utility":
        assert (families["nothing said"].ranks == 3).all()


def test_nobody_can_write_into_a_profile():
    profile = random_samples("utility", 1, 0)[0].profile
    for part in (profile.ranks, profile.weights, profile.utilities):
        with pytest.raises(ValueError, match="read-only"):
            part[...] = 0


def test_part_of_a_profile_keeps_ties_and_gaps():
    profile = Profile.from_rankings([["a", ["b", "c"]], ["d", "a"]], [2, 1], items="abcd")
    part = part_of(profile, [1, 0], [0, 1, 2])
    assert part.items == ("a", "b", "c")
    assert part.ranks.tolist() == [[0, 3, 3], [0, 1, 1]]
    assert part.weights.tolist() == [1, 2]


def test_lifts_are_single_steps_and_the_whole_way():
    profile = Profile.from_rankings([["a", ["b", "c"], "d"]], items="abcde")
    raised = [with_ballot(profile, 0, row).ranks[0].tolist() for row in lifts(profile, 0, 2)]
    assert raised == [[0, 1, 0, 2, 5], [0, 2, 1, 3, 5], [1, 2, 0, 3, 5]]
    assert lifts(Profile.from_approvals(["a"], items="ab"), 0, 0) == []


def test_misreports_differ_from_the_truth():
    profile = profile_of("ranking", "abc", np.array([[0.0, -1.0, -2.0]]), np.ones(1))
    lies = misreports(profile, 0)
    assert len(lies) == 5 + 6
    assert not any(np.array_equal(lie, opinions(profile)[0]) for lie in lies)
