"""IRV, Coombs, Baldwin, Nanson and Bucklin: every tie-breaking, published counts, odd ballots, known failures."""

import numpy as np
import pytest

from simulator.justification import justify
from simulator.mediation import mediate, mediate_batch
from simulator.mediators.irv import InstantRunoff
from simulator.profile import Profile
from tests.mediators.every_course import (
    agrees,
    baldwin_orders,
    coombs_orders,
    irv_orders,
    nanson_tiers,
    random_profile,
)

ORDERS = {
    "irv": irv_orders,
    "coombs": lambda profile: coombs_orders(profile, majority_wins=True),
    "coombs(majority=ignored)": coombs_orders,
    "baldwin": baldwin_orders,
}
ELIMINATION = [*ORDERS, "nanson", "bucklin"]
TENNESSEE = Profile.from_rankings(
    [
        ["Memphis", "Nashville", "Chattanooga", "Knoxville"],
        ["Nashville", "Chattanooga", "Knoxville", "Memphis"],
        ["Chattanooga", "Knoxville", "Nashville", "Memphis"],
        ["Knoxville", "Chattanooga", "Nashville", "Memphis"],
    ],
    [42, 26, 15, 17],
)


def random_ranks(n, m, seed=0):
    return np.random.default_rng(seed).random((n, m)).argsort(axis=1).argsort(axis=1)


def steps(outcome):
    return [(step.item, step.value, step.act) for step in outcome.trace.steps]


@pytest.mark.parametrize("rule", ORDERS)
@pytest.mark.parametrize("ties", [True, False], ids=["weak", "strict"])
def test_outcome_lists_what_every_way_to_break_ties_comes_to(rule, ties):
    for seed in range(120):
        profile = random_profile(seed, ties=ties, most_items=4 if ties else 5)
        k = seed % profile.m + 1
        assert agrees(mediate(profile, rule, k=k, tie="seeded", seed=seed), ORDERS[rule](profile))


def test_nanson_eliminates_all_items_below_the_mean_at_once():
    for seed in range(300):
        profile = random_profile(seed, most_items=5)
        assert [sorted(tier) for tier in mediate(profile, "nanson").tier_indices] == nanson_tiers(profile)


def test_counts_of_the_tennessee_example_are_the_published_ones():
    assert steps(mediate(TENNESSEE, "irv")) == [
        ("Chattanooga", 15, "eliminated"),
        ("Nashville", 26, "eliminated"),
        ("Memphis", 42, "eliminated"),
        ("Knoxville", 58, "left"),
    ]
    assert steps(mediate(TENNESSEE, "coombs"))[:2] == [("Memphis", 58, "eliminated"), ("Knoxville", 68, "eliminated")]
    assert steps(mediate(TENNESSEE, "bucklin"))[0] == ("Nashville", 68, "ranked")
    assert mediate(TENNESSEE, "bucklin").trace.steps[0].note == "at depth 2"


def test_justification_tells_the_count():
    outcome = mediate(TENNESSEE, "irv")
    told = justify(TENNESSEE, outcome, InstantRunoff(), k=1)
    assert '"Chattanooga" is eliminated with 15; "Nashville" is eliminated with 26' in told
    assert '"Knoxville" is left with 58' in told


def test_last_item_in_tie_order_goes_first():
    profile = Profile.from_rankings(["abc", "bca", "cab"])
    first = InstantRunoff().mediate(profile, k=3)
    assert first.trace.steps[0].item == "c"
    assert first.trace.steps[0].note == "tied with 2 more"
    assert InstantRunoff().mediate(profile, priority=[2, 1, 0]).trace.steps[0].item == "a"


def test_exhausted_ballots_drop_out_of_instant_runoff():
    profile = Profile.from_rankings([["a"], ["b", "c"], ["c"]], [4, 3, 2], items="abc")
    assert steps(mediate(profile, "irv")) == [("c", 2, "eliminated"), ("b", 3, "eliminated"), ("a", 4, "left")]


def test_unranked_items_share_a_last_place_under_coombs():
    profile = Profile.from_rankings([["a"], ["b", "c", "a"]], [3, 2], items="abc")
    outcome = mediate(profile, "coombs(majority=ignored)")
    assert steps(outcome)[0] == ("a", 2, "eliminated")
    outcome = mediate(Profile.from_rankings([["a"], ["b", "c", "a"]], [5, 2], items="abc"), "coombs(majority=ignored)")
    assert steps(outcome)[0] == ("c", 2.5, "eliminated")


def test_a_majority_of_first_choices_wins_under_coombs_unless_it_is_to_be_ignored():
    profile = Profile.from_rankings(["abc", "acb", "bca", "cba"], [3, 3, 3, 2])
    assert mediate(profile, "coombs").winners == ("a",)
    assert mediate(profile, "coombs(majority=ignored)").winners == ("b",)


def test_bucklin_supports_a_tie_at_its_first_place_and_never_an_unranked_item():
    profile = Profile.from_rankings([[["a", "b"], "c"], ["c"], ["d"]], [2, 2, 1], items="abcd")
    outcome = mediate(profile, "bucklin")
    assert [(step.item, step.value, step.note) for step in outcome.trace.steps] == [
        ("c", 4, "at depth 3"),
        ("a", 2, "at every depth, never a majority"),
        ("b", 2, "at every depth, never a majority"),
        ("d", 1, "at every depth, never a majority"),
    ]
    assert outcome.tiers == (("c",), ("a", "b"), ("d",))


@pytest.mark.parametrize("rule", ["nanson", "bucklin"])
def test_a_batch_decides_as_its_profiles_do(rule):
    rng = np.random.default_rng(2)
    values = rng.integers(0, 4, size=(3, 4, 5, 6)) / 4
    batch = Profile.from_utilities(values, "abcdef", rng.integers(0, 3, size=(3, 4, 5)))
    found = mediate_batch(batch, rule)
    for place, one in zip(np.ndindex(3, 4), batch.singles(), strict=True):
        assert found.ranks[place].tolist() == mediate(one, rule).tier_numbers.tolist()


def test_a_batch_of_instant_runoffs_lists_the_tied_winners_of_each():
    ranks = np.stack([random_ranks(4, 5, seed) for seed in range(6)])
    batch = Profile(tuple("abcde"), ranks, np.ones((6, 4)))
    found = mediate_batch(batch, "irv")
    for place, one in enumerate(batch.singles()):
        assert [item for item, wins in zip("abcde", found.winners[place], strict=True) if wins] == list(
            mediate(one, "irv").winners
        )


@pytest.mark.parametrize("rule", ["irv", "baldwin", "nanson", "bucklin"])
def test_few_ballots_that_rank_few_of_many_items_are_counted_in_full(rule):
    ranks = random_ranks(5, 120)
    profile = Profile(tuple(map(str, range(120))), np.where(ranks < 10, ranks, 120), np.ones(5))
    outcome = mediate(profile, rule, k=3)
    assert outcome.complete
    ranked = {str(item) for item in np.flatnonzero((ranks < 10).any(axis=0))}
    assert set(outcome.winners) <= ranked


@pytest.mark.parametrize("rule", ["irv", "coombs"])
def test_what_is_beyond_the_bound_is_said_and_not_hidden(rule):
    profile = Profile(tuple(map(str, range(100))), random_ranks(40, 100), np.ones(40))
    outcome = mediate(profile, rule, k=2)
    assert not outcome.complete
    assert any("more ways to break ties than were followed" in note for note in outcome.notes)
    assert sorted(outcome.order) == list(range(100))
    assert outcome.winners[0] in outcome.tiers[0]


@pytest.mark.parametrize("rule", ELIMINATION)
@pytest.mark.parametrize("scale", [1e-97, 1e-9, 1e99])
def test_weights_of_any_size_give_the_same_outcome(rule, scale):
    expected, found = (
        mediate(TENNESSEE, rule),
        mediate(Profile(TENNESSEE.items, TENNESSEE.ranks, TENNESSEE.weights / 100 * scale), rule),
    )
    assert found.tiers == expected.tiers


def weighted(*ballots):
    """A profile of (weight, strict order) over the items of the first order."""
    return Profile.from_rankings([order for _, order in ballots], [w for w, _ in ballots], items=sorted(ballots[0][1]))


NO_SHOW = [
    ("irv", [(3, "abc"), (2, "cab"), (2, "bca"), (2, "bac")], (2, "cab"), "a", "b"),
    ("stv", [(3, "abc"), (2, "cab"), (2, "bca"), (2, "bac")], (2, "cab"), "a", "b"),
    ("coombs", [(3, "cdab"), (4, "dbac"), (2, "cdba")], (1, "abcd"), "c", "d"),
    ("baldwin", [(5, "bcad"), (4, "dbac"), (1, "dacb"), (2, "acdb"), (1, "bcda")], (2, "acdb"), "d", "b"),
    ("nanson", [(5, "dacb"), (4, "acdb"), (6, "cbda")], (2, "cabd"), "c", "a"),
    ("bucklin", [(1, "acbd"), (3, "dcba"), (1, "abdc")], (1, "abdc"), "d", "c"),
]


@pytest.mark.parametrize(("rule", "ballots", "more", "before", "after"), NO_SHOW, ids=[case[0] for case in NO_SHOW])
def test_no_show_paradox_ballots_that_turn_up_get_an_item_they_like_less(rule, ballots, more, before, after):
    assert mediate(weighted(*ballots), rule).winners == (before,)
    assert mediate(weighted(*ballots, more), rule).winners == (after,)
    assert more[1].index(before) < more[1].index(after)


NOT_MONOTONE = [
    ("irv", [(4, "dbca"), (2, "badc"), (5, "cbad"), (4, "acdb")], (2, "dbca", "adbc"), "a", "c"),
    ("stv", [(4, "dbca"), (2, "badc"), (5, "cbad"), (4, "acdb")], (2, "dbca", "adbc"), "a", "c"),
    ("coombs", [(1, "cdba"), (4, "bcda"), (7, "cabd"), (3, "dabc"), (5, "abcd")], (2, "cdba", "acdb"), "a", "c"),
    ("baldwin", [(3, "bca"), (5, "abc"), (3, "cab")], (3, "cba", "bca"), "b", "a"),
    ("nanson", [(1, "dacb"), (6, "bcda"), (3, "abcd"), (4, "cabd")], (3, "acdb", "cadb"), "c", "b"),
]


@pytest.mark.parametrize(
    ("rule", "others", "lift", "before", "after"), NOT_MONOTONE, ids=[case[0] for case in NOT_MONOTONE]
)
def test_a_winner_that_is_raised_can_lose(rule, others, lift, before, after):
    weight, low, high = lift
    assert low.replace(before, "") == high.replace(before, "")
    assert mediate(weighted(*others, (weight, low)), rule).winners == (before,)
    assert mediate(weighted(*others, (weight, high)), rule).winners == (after,)
