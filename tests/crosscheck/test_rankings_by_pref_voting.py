"""Rules on complete strict rankings against pref_voting: all tied winners, scores, and rankings with their ties."""

from fractions import Fraction
from itertools import combinations

import pytest
from pref_voting import scoring_methods as scoring
from pref_voting import voting_methods as methods
from pref_voting.c1_methods import copeland_ranking
from pref_voting.margin_based_methods import minimax_scores
from pref_voting.other_methods import kemeny_young_rankings
from pref_voting.profiles import Profile

from simulator.mediation import mediate
from tests.crosscheck.elections import strict

PROFILES = 500
WINNERS = {
    "anti_plurality": methods.anti_plurality,
    "baldwin": methods.baldwin_put,
    "black": methods.blacks,
    "borda": methods.borda,
    "bucklin": methods.bucklin,
    "coombs": methods.coombs_put,
    "copeland": methods.copeland,
    "copeland(alpha=1)": methods.llull,
    "dowdall": lambda given: methods.scoring_rule(
        given, score=lambda m, place: Fraction(1, place)
    ),  # its own has floats
    "irv": methods.instant_runoff_put,
    "k_approval(top=2)": lambda given: methods.scoring_rule(given, score=lambda m, place: int(place <= 2)),
    "kemeny": methods.kemeny_young,
    "minimax": methods.minimax,
    "minimax(strength=pairwise_opposition)": methods.minimax,
    "minimax(strength=winning_votes)": methods.minimax,
    "nanson": methods.strict_nanson,
    "plurality": methods.plurality,
    "rrf": lambda given: methods.scoring_rule(given, score=lambda m, place: Fraction(1, 60 + place)),
    "schulze": methods.beat_path,
    "schulze(strength=margins)": methods.beat_path,
    "split_cycle": methods.split_cycle,
}
RANKINGS = {
    "anti_plurality": scoring.anti_plurality_ranking,
    "borda": scoring.borda_ranking,
    "copeland": copeland_ranking,
    "plurality": scoring.plurality_ranking,
}
SCORES = {
    "borda": lambda given: given.borda_scores(),
    "copeland": lambda given: {a: (s + given.num_cands - 1) / 2 for a, s in given.copeland_scores().items()},
    "minimax(strength=pairwise_opposition)": lambda given: minimax_scores(given, score_method="pairwise_opposition"),
    "minimax(strength=winning_votes)": lambda given: minimax_scores(given, score_method="winning"),
    "plurality": lambda given: given.plurality_scores(),
}


def peer(election):
    return Profile(election.orders, rcounts=election.weights.tolist())


def winners(outcome):
    return sorted(map(int, outcome.winners))


@pytest.mark.parametrize("rule", WINNERS)
def test_the_same_items_win(rule):
    several = 0
    for election in strict(PROFILES, seed=1):
        if rule.startswith(("k_approval", "baldwin")) and len(election.items) < 3:
            continue
        outcome = mediate(election.profile, rule)
        assert outcome.complete
        assert winners(outcome) == sorted(WINNERS[rule](peer(election))), election
        several += len(outcome.winners) > 1
    assert several > PROFILES / 20  # ties were among what was compared


@pytest.mark.parametrize("rule", RANKINGS)
def test_the_same_rankings_with_their_ties(rule):
    for election in strict(PROFILES, seed=2):
        expected = RANKINGS[rule](peer(election))
        expected.normalize_ranks()
        tiers = {
            int(item): number for number, tier in enumerate(mediate(election.profile, rule).tiers, 1) for item in tier
        }
        assert tiers == expected.rmap, election


@pytest.mark.parametrize("rule", SCORES)
def test_the_same_scores(rule):
    for election in strict(PROFILES, seed=3):
        scores = mediate(election.profile, rule).scores
        assert scores == pytest.approx({str(item): score for item, score in SCORES[rule](peer(election)).items()}), (
            election
        )


def test_the_same_condorcet_winners():
    for election in strict(PROFILES, seed=4):
        expected = methods.condorcet(peer(election)) or election.items
        assert winners(mediate(election.profile, "condorcet")) == sorted(expected), election


def test_the_same_best_orders():
    for election in strict(PROFILES, seed=5):
        orders, cost = kemeny_young_rankings(peer(election))
        for k in range(1, len(election.items)):
            outcome = mediate(election.profile, "kemeny", k=k)
            assert outcome.trace.cost == cost
            assert outcome.order in list(map(tuple, orders))
            assert {frozenset(map(int, slate)) for slate in outcome.slates} == {frozenset(o[:k]) for o in orders}


def test_ranked_pairs_wins_under_some_way_to_break_ties():
    several = 0
    for election in strict(PROFILES, seed=6, items=(2, 4), ballots=(3, 9)):
        margins = peer(election).margin_matrix
        sizes = [sum(m == size for row in margins for m in row) for size in {abs(m) for row in margins for m in row}]
        if max(sizes) - len(margins) * (0 in margins[0]) > 6:
            continue  # the peer goes through all orders of equal margins
        outcome = mediate(election.profile, "ranked_pairs")
        assert winners(outcome) == methods.ranked_pairs(peer(election)), election
        several += len(outcome.winners) > 1
    assert several > 20


@pytest.mark.parametrize("reverse", [False, True])
def test_ranked_pairs_wins_under_a_given_way_to_break_ties(reverse):
    """The peer locks tied pairs, too, which chooses among the items that no locked majority is above."""
    for election in strict(PROFILES, seed=7, items=(3, 6), ballots=(3, 9)):
        expected = methods.ranked_pairs_tb(peer(election), tie_breaker=sorted(election.items, reverse=reverse))
        outcome = mediate(election.profile, "ranked_pairs")
        assert set(expected) <= set(winners(outcome)), election


def test_without_ties_ranked_pairs_has_one_order():
    compared = 0
    for election in strict(PROFILES, seed=8, items=(3, 5), ballots=(20, 60)):
        given = peer(election)
        margins = [abs(given.margin(a, b)) for a, b in combinations(election.items, 2)]
        if 0 in margins or len(set(margins)) < len(margins):
            continue
        compared += 1
        outcome = mediate(election.profile, "ranked_pairs")
        assert [len(tier) for tier in outcome.tiers] == [1] * len(election.items)
        assert winners(outcome) == methods.ranked_pairs_tb(given), election
    assert compared > 100
