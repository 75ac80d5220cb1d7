"""Profiles: ballots as arrays, by the conventions that every rule relies on."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import rankdata

from simulator.profile import Profile, Proposal, Ranking, dense_ranks, positions

values = arrays(
    np.float64, st.tuples(st.integers(1, 3), st.integers(1, 7)), elements=st.sampled_from([-1.0, -0.0, 0.0, 0.5, 2.0])
)


@given(values)
@settings(deadline=None, max_examples=60)
def test_tiers_and_positions_agree_with_scipy(array):
    ranks = dense_ranks(array)
    np.testing.assert_array_equal(ranks, rankdata(-array, method="dense", axis=-1) - 1)
    np.testing.assert_array_equal(positions(ranks), rankdata(-array, method="average", axis=-1))


def test_unranked_items_share_the_last_positions():
    profile = Profile.from_rankings([["b", ["a", "c"]], ["d"], []], items="abcd")
    m = 4
    assert profile.ranks.tolist() == [[1, 0, 1, m], [m, m, m, 0], [m, m, m, m]]
    assert positions(profile.ranks).tolist() == [[2.5, 1, 2.5, 4], [3, 3, 3, 1], [2.5] * 4]


def test_batches_are_as_many_profiles():
    batch = np.random.default_rng(0).integers(0, 4, size=(3, 2, 5)).astype(float)
    profile = Profile.from_utilities(batch, "abcde")
    assert (profile.n, profile.m, profile.weights.shape) == (2, 5, (3, 2))
    for one, ranks in zip(batch, profile.ranks, strict=True):
        np.testing.assert_array_equal(Profile.from_utilities(one, "abcde").ranks, ranks)
        np.testing.assert_array_equal(positions(profile.ranks)[0], positions(profile.ranks[0]))


def test_items_stand_in_the_order_given_or_of_their_first_appearance():
    assert Profile.from_rankings(["ba", "ab"]).items == ("b", "a")
    assert Profile.from_rankings(["ba", "ab"], items="abc").items == ("a", "b", "c")


def test_approved_items_are_one_tier_above_all_others():
    profile = Profile.from_approvals([["a", "c"], []], [2, 1], items="abc")
    assert profile.ranks.tolist() == [[0, 3, 0], [3, 3, 3]]
    assert profile.approvals is not None
    assert profile.approvals.tolist() == [[True, False, True], [False] * 3]
    assert profile.weights.tolist() == [2, 1]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Profile.from_rankings([["a", "b", "a"]]), "item 'a' stands twice in one ranking"),
        (lambda: Profile.from_rankings([["a", []]]), "empty tier"),
        (lambda: Profile.from_rankings([["z"]], items="ab"), "ballot names 'z', which is not among the items"),
        (lambda: Profile.from_rankings([[]]), "at least one item"),
        (lambda: Profile.from_rankings(["ab"], items="aab"), "item 'a' is listed twice"),
        (lambda: Profile.from_rankings(["ab"], [1, 2]), "weights have shape"),
        (lambda: Profile.from_rankings(["ab"], [-1]), "finite and not negative"),
        (lambda: Profile.from_rankings(["ab"], [np.nan]), "finite and not negative"),
        (lambda: Profile.from_rankings(["ab"], voters=["x", "y"]), "2 voters but 1 ballots"),
        (lambda: Profile.from_utilities([[1, 2]], "aa"), "item 'a' is listed twice"),
        (lambda: Profile.from_utilities([[1, np.inf]], "ab"), "must be finite"),
        (lambda: Profile.from_utilities([[1, 2, 3]], "ab"), "2 items but 3 columns"),
        (lambda: Profile(("a",), np.zeros((1, 1), int), np.ones(1), np.zeros((2, 1))), "utilities have shape"),
    ],
)
def test_what_is_no_profile_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def proposal(ranking, utilities=None, approvals=None):
    return Proposal(Ranking.of(ranking), utilities=utilities, approvals=approvals)


def test_proposals_keep_their_utilities_if_all_that_rank_have_them():
    full = proposal("ab", {"a": 0.9, "b": 0.1})
    profile = Profile.from_proposals({"x": full, "y": proposal("")}, "ab", [2, 1])
    assert profile.voters == ("x", "y")
    assert profile.utilities is not None
    assert profile.utilities.tolist() == [[0.9, 0.1], [0, 0]]
    assert Profile.from_proposals({"x": full, "y": proposal("ba")}, "ab").utilities is None
    assert Profile.from_proposals({"y": proposal("")}, "ab").utilities is None


def test_utilities_of_other_items_than_those_on_the_table_are_not_taken():
    strange = proposal("ab", {"a": 0.9, "z": 0.1})
    assert Profile.from_proposals({"x": strange}, "ab").utilities is None
    more = proposal("ab", {"a": 0.9, "b": 0.2, "z": 0.1})
    assert Profile.from_proposals({"x": more}, "ab").utilities.tolist() == [[0.9, 0.2]]


def test_a_profile_without_a_ballot_is_the_profile_of_the_others():
    profile = Profile.from_utilities([[1, 2], [3, 1], [0, 0]], "ab", [1, 2, 3], voters="xyz")
    rest = profile.without(1)
    assert rest.voters == ("x", "z")
    assert rest.weights.tolist() == [1, 3]
    assert rest.utilities.tolist() == [[1, 2], [0, 0]]
    assert rest.ranks.tolist() == [[1, 0], [0, 0]]
