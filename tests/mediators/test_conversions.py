"""How ballots are read by rules that need something else."""

import numpy as np
import pytest

from simulator.mediation import mediate
from simulator.mediators.conversions import approvals, utilities
from simulator.profile import Profile


def approved(profile, approve, k=2):
    return [
        [item for item, yes in zip(profile.items, row, strict=True) if yes] for row in approvals(profile, approve, k)[0]
    ]


def test_utilities_of_a_ranking_fall_evenly_from_one_to_zero():
    profile = Profile.from_rankings(["abcde"])
    values, notes = utilities(profile)
    assert values.tolist() == [[1, 0.75, 0.5, 0.25, 0]]
    assert len(notes) == 1
    assert "(m - average position) / (m - 1)" in notes[0]


def test_tied_and_unranked_items_share_the_average_of_their_positions():
    profile = Profile.from_rankings([[["a", "b"], "c"]], items="abcde")
    assert utilities(profile)[0].tolist() == [[0.875, 0.875, 0.5, 0.125, 0.125]]


def test_single_item_has_utility_one_and_an_abstention_says_nothing():
    assert utilities(Profile.from_rankings(["a"]))[0].tolist() == [[1]]
    assert utilities(Profile.from_rankings([[], "ab"], items="ab"))[0].tolist() == [[0, 0], [1, 0]]


def test_given_utilities_are_taken_as_they_are():
    values, notes = utilities(Profile.from_utilities([[0.3, 0.9]], "ab"))
    assert values.tolist() == [[0.3, 0.9]]
    assert notes == ()


def test_top_of_a_ranking_takes_the_whole_tier_that_reaches_the_depth():
    profile = Profile.from_rankings(["abcd", ["a", ["b", "c"], "d"], [["a", "b", "c"]], ["d"]], items="abcd")
    assert approved(profile, "top-2") == [["a", "b"], ["a", "b", "c"], ["a", "b", "c"], ["d"]]
    assert approved(profile, "top", k=1) == [["a"], ["a"], ["a", "b", "c"], ["d"]]
    assert approved(profile, "top-9") == [list("abcd"), list("abcd"), list("abc"), ["d"]]


def test_utilities_of_at_least_the_mean_are_approved():
    profile = Profile.from_utilities([[0.1, 0.1, 0.1], [0.9, 0.5, 0.1], [1, 0, 0]], "abc")
    assert approved(profile, "mean") == [["a", "b", "c"], ["a", "b"], ["a"]]
    assert approved(profile, "threshold-0.5") == [[], ["a", "b"], ["a"]]


def test_unranked_items_are_never_approved_whatever_the_threshold():
    profile = Profile.from_rankings(["a", []], items="abc")
    assert approved(profile, "threshold-0") == [["a"], []]
    assert approved(profile, "mean") == [["a"], []]


def test_auto_takes_approvals_then_utilities_then_the_top_of_the_ranking():
    ranked = Profile.from_rankings(["abc"])
    valued = Profile.from_utilities([[0.9, 0.8, 0.1]], "abc")
    both = Profile(valued.items, valued.ranks, valued.weights, valued.utilities, np.array([[False, False, True]]))
    assert approved(ranked, "auto", k=1) == [["a"]]
    assert approved(valued, "auto", k=1) == [["a", "b"]]
    assert approved(both, "auto", k=1) == [["c"]]
    assert [len(approvals(profile, "auto", 1)[1]) for profile in (ranked, valued, both)] == [1, 1, 0]


@pytest.mark.parametrize(
    "wrong", ["", "tops", "top-0", "top--1", "top-1.5", "mean-2", "threshold", "threshold-x", "TOP", "top-3\n"]
)
def test_wrong_way_to_approve_is_refused_when_the_mediator_is_made(wrong):
    with pytest.raises(ValueError, match=r"threshold-0\.5"):
        mediate(Profile.from_rankings(["ab"]), {"name": "seq_pav", "approve": wrong})


def test_conversions_are_noted_in_the_outcome():
    profile = Profile.from_rankings(["abc"])
    assert "top 2 of each ballot" in mediate(profile, "seq_phragmen(approve=top-2)").notes[0]
    assert len(mediate(profile, "seq_pav(approve=mean)").notes) == 2
    assert "(m - average position)" in mediate(profile, "nash").notes[0]
    assert mediate(profile, "borda").notes == ()


def test_negative_utility_is_refused_by_rules_that_multiply():
    profile = Profile.from_utilities([[0.2, 0.1], [0.3, -0.5]], "ab", voters=["x", "y"])
    for rule in ("nash", "nash_slate"):
        with pytest.raises(ValueError, match=r"'y' gives -0\.5 to 'b'"):
            mediate(profile, rule)
    assert mediate(profile, "utilitarian").winners == ("a",)
