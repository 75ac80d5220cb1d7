"""Minimax, Schulze, Split Cycle, Black and Condorcet, and what all rules on duels share."""

import numpy as np
import pytest

from simulator import registry
from simulator.mediation import mediate, mediate_batch
from simulator.profile import Profile

RULES = ["copeland", "minimax", "schulze", "split_cycle", "black", "condorcet", "ranked_pairs"]


def tennessee():
    """42 % Memphis, 26 % Nashville, 15 % Chattanooga, 17 % Knoxville: the standard example of a Condorcet winner."""
    return Profile.from_rankings(["MNCK", "NCKM", "CKNM", "KCNM"], [42, 26, 15, 17], items="MNCK")


def schulze_2011():
    """Example 1 of Schulze's paper: 45 voters, 5 items, winner E."""
    ballots = ["ACBED", "ADECB", "BEDAC", "CABED", "CAEBD", "CBADE", "DCEBA", "EBADC"]
    return Profile.from_rankings(ballots, [5, 5, 8, 3, 7, 2, 7, 8], items="ABCDE")


def incomplete():
    """Ballots that stop early, so that margins, winning votes and opposition disagree."""
    return Profile.from_rankings(["a", "abc", "bca", "b", "cab", "c"], [3, 4, 6, 1, 5, 3], items="abc")


def test_minimax_scores_are_the_worst_margins():
    assert mediate(tennessee(), "minimax").scores == {"M": -16, "N": 16, "C": -36, "K": -66}
    assert mediate(tennessee(), "maximin").winners == ("N",)


def test_minimax_measures_defeats_as_told():
    # N(a,b) = 12, N(b,a) = 7; N(b,c) = 11, N(c,b) = 8; N(c,a) = 14, N(a,c) = 7
    assert mediate(incomplete(), "minimax").scores == {"a": -7, "b": -5, "c": -3}
    assert mediate(incomplete(), "minimax(strength=winning_votes)").scores == {"a": -14, "b": -12, "c": -11}
    beaten_by_none = Profile.from_rankings(["ab", "c"], [2, 1], items="abc")
    assert mediate(beaten_by_none, "minimax(strength=winning_votes)").scores["a"] == 0
    assert mediate(beaten_by_none, "minimax(strength=pairwise_opposition)").scores["a"] == -1


def test_minimax_claims_condorcet_only_where_it_holds():
    assert "condorcet" in registry.create("mediator", "minimax").properties
    assert "condorcet" not in registry.create("mediator", "minimax(strength=pairwise_opposition)").properties
    # a beats b by 5 to 4 and c by 3 to 2; the most that stand against a are 4, against c only 3
    ballots = [["b", ["a", "c"]], [["b", "c"], "a"], ["a", ["b", "c"]], [["a", "c"], "b"]]
    profile = Profile.from_rankings(ballots, [2, 2, 3, 2], items="abc")
    assert mediate(profile, "minimax").winners == mediate(profile, "minimax(strength=winning_votes)").winners == ("a",)
    assert mediate(profile, "minimax(strength=pairwise_opposition)").winners == ("c",)


def test_schulze_follows_the_strongest_paths_of_the_paper():
    outcome = mediate(schulze_2011(), "schulze")
    assert outcome.ranking == tuple("EACBD")
    assert outcome.trace.paths.tolist() == [
        [0, 28, 28, 30, 24],
        [25, 0, 28, 33, 24],
        [25, 29, 0, 29, 24],
        [25, 28, 28, 0, 24],
        [25, 28, 28, 31, 0],
    ]


def test_schulze_measures_majorities_as_told():
    # a cycle: a > b by 7 to 3, b > c by 10 to 7, c > a by 8 to 7; a > b has the fewest votes, c > a the least margin
    profile = Profile.from_rankings(["ab", "b", "c", "abc", "bca"], [6, 2, 7, 1, 1], items="abc")
    assert mediate(profile, "schulze").ranking == ("b", "c", "a")
    assert mediate(profile, "schulze(strength=margins)").ranking == ("a", "b", "c")


def test_all_unbeaten_items_win_schulze_also_where_one_of_them_beats_more():
    ballots = ["abcd", "bacd", ["d", ["a", "c"], "b"], ["d", ["a", "c"], "b"]]
    outcome = mediate(Profile.from_rankings(ballots, items="abcd"), "schulze")
    assert outcome.winners == ("a", "d")
    assert [sorted(slate) for slate in outcome.slates] == [["a"], ["d"]]
    assert set(outcome.tiers[0]) <= set(outcome.winners)


def test_split_cycle_keeps_what_is_not_weakest_in_a_cycle():
    assert sorted(mediate(schulze_2011(), "split_cycle").winners) == ["A", "E"]
    cycle = Profile.from_rankings(["abcd", "bcad", "cabd"], [4, 3, 2], items="abcd")
    # a > b by 3, b > c by 5, c > a by 1: the last one is dropped
    assert mediate(cycle, "split_cycle").tiers == (("a",), ("b",), ("c",), ("d",))


def test_items_of_a_cycle_of_equal_margins_tie_under_split_cycle():
    assert mediate(Profile.from_rankings(["abc", "bca", "cab"]), "split_cycle").tiers == (("a", "b", "c"),)


def test_black_puts_a_condorcet_winner_before_the_borda_winner():
    profile = Profile.from_rankings(["abc", "bca"], [3, 2])
    assert mediate(profile, "borda").winners == ("b",)
    outcome = mediate(profile, "black")
    assert outcome.tiers == (("a",), ("b",), ("c",))
    assert outcome.scores is None


def test_black_is_bordas_count_without_a_condorcet_winner():
    profile = Profile.from_rankings(["abc", "bca", "cab"], [4, 3, 2])
    outcome = mediate(profile, "black")
    assert outcome.scores == mediate(profile, "borda").scores
    assert outcome.trace.contributions.sum(axis=0).tolist() == list(outcome.scores.values())


def test_condorcet_ties_all_others_and_everything_without_a_winner():
    assert mediate(tennessee(), "condorcet").tiers == (("N",), ("M", "C", "K"))
    assert mediate(Profile.from_rankings(["abc", "bca", "cab"]), "condorcet").tiers == (("a", "b", "c"),)


@pytest.mark.parametrize("rule", [*RULES, "kemeny", "squared_kemeny"])
def test_weights_that_add_up_to_the_same_but_for_rounding_tie(rule):
    """0.1 + 0.2 is a rounding error more than 0.3, which no rule may take for a majority or a stronger one."""
    whole = Profile.from_rankings(["abc", "abc", "bca", "cab"], [1, 2, 3, 3], items="abc")
    tenths = Profile.from_rankings(["abc", "abc", "bca", "cab"], [0.1, 0.2, 0.3, 0.3], items="abc")
    assert mediate(tenths, rule).tiers == mediate(whole, rule).tiers
    assert mediate(tenths, rule).winners == mediate(whole, rule).winners == ("a", "b", "c")


@pytest.mark.parametrize("big", [2**7, 2**15, 2**24, 2**31, 2**40, 2**52])
@pytest.mark.parametrize("rule", RULES)
def test_one_ballot_of_many_makes_a_majority_however_many_there_are(rule, big):
    profile = Profile.from_rankings(["ab", "ba"], [big // 2, big // 2 - 1], items="ab")
    assert mediate(profile, rule).winners == ("a",)


@pytest.mark.parametrize("rule", [*RULES, "schulze(strength=margins)", "minimax(strength=pairwise_opposition)"])
@pytest.mark.parametrize("kind", ["whole", "tenths", "no ballot", "many items"])
def test_a_batch_decides_as_its_profiles_do(rule, kind):
    rng = np.random.default_rng(7)
    n, m = {"no ballot": (0, 4), "many items": (3, 70)}.get(kind, (5, 6))
    weights = rng.integers(0, 4, (2, 6, n)) * (0.1 if kind == "tenths" else 1)
    profile = Profile.from_utilities(rng.integers(0, 5, (2, 6, n, m)), [f"i{i}" for i in range(m)], weights)
    batch = mediate_batch(profile, rule, k=2, tie="seeded", seed=3)
    singles = [mediate(one, rule, k=2, tie="seeded", seed=3) for one in profile.singles()]
    assert batch.ranks.reshape(-1, m).tolist() == [one.tier_numbers.tolist() for one in singles]
    assert batch.order.reshape(-1, m).tolist() == [list(one.order) for one in singles]
    won = [[item in one.winners for item in profile.items] for one in singles]
    assert batch.winners.reshape(-1, m).tolist() == won


@pytest.mark.parametrize("rule", ["minimax(strength=best)", "schulze(strength=pairwise_opposition)"])
def test_unknown_strengths_are_refused(rule):
    with pytest.raises(ValueError, match="strength"):
        mediate(tennessee(), rule)
