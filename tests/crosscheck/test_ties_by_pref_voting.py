"""Rules on ballots with ties and truncated ballots against pref_voting; unranked items are tied last on both sides."""

import pytest
from pref_voting import voting_methods as methods
from pref_voting.margin_based_methods import minimax_scores
from pref_voting.probabilistic_methods import maximal_lottery, random_dictator
from pref_voting.profiles import Profile
from pref_voting.profiles_with_ties import ProfileWithTies
from pref_voting.proportional_methods import stv_wig
from pref_voting.scoring_methods import symmetric_borda_scores

from simulator.mediation import mediate
from tests.crosscheck.elections import strict, truncated, weak

PROFILES = 500


def peer(election):
    given = ProfileWithTies(election.tiers, rcounts=election.weights.tolist(), candidates=election.items)
    given.use_extended_strict_preference()
    return given


def by_support(method):
    def winners_of(given):
        return method(given, strength_function=given.support)

    return winners_of


def best(scores):
    return sorted(item for item, score in scores.items() if score == max(scores.values()))


WINNERS = {
    "borda": lambda given: best(symmetric_borda_scores(given)),
    "copeland": methods.copeland,
    "copeland(alpha=1)": methods.llull,
    "irv": lambda given: methods.instant_runoff_put(given, score_method="split"),
    "minimax": methods.minimax,
    "minimax(strength=pairwise_opposition)": lambda given: best(
        minimax_scores(given, score_method="pairwise_opposition")
    ),
    "minimax(strength=winning_votes)": methods.minimax_support,
    "schulze": by_support(methods.beat_path),
    "schulze(strength=margins)": methods.beat_path,
    "split_cycle": methods.split_cycle,
}


def winners(outcome):
    return sorted(map(int, outcome.winners))


@pytest.mark.parametrize("elections", [weak, truncated])
@pytest.mark.parametrize("rule", WINNERS)
def test_the_same_items_win(rule, elections):
    several = 0
    for election in elections(PROFILES, seed=11):
        outcome = mediate(election.profile, rule)
        assert outcome.complete
        assert winners(outcome) == sorted(WINNERS[rule](peer(election))), election
        several += len(outcome.winners) > 1
    assert several > PROFILES / 20


@pytest.mark.parametrize("elections", [weak, truncated])
def test_the_same_condorcet_winners(elections):
    for election in elections(PROFILES, seed=12):
        expected = methods.condorcet(peer(election)) or election.items
        assert winners(mediate(election.profile, "condorcet")) == sorted(expected), election


@pytest.mark.parametrize("elections", [weak, truncated])
def test_the_same_first_places(elections):
    for election in elections(PROFILES, seed=13):
        expected = {str(item): score for item, score in peer(election).tops_scores(score_type="split").items()}
        assert mediate(election.profile, "plurality").scores == pytest.approx(expected), election


@pytest.mark.parametrize("elections", [weak, truncated])
def test_ranked_pairs_wins_under_a_given_way_to_break_ties(elections):
    for election in elections(PROFILES, seed=14):
        expected = methods.ranked_pairs_tb(peer(election))
        assert set(expected) <= set(winners(mediate(election.profile, "ranked_pairs"))), election


@pytest.mark.parametrize("elections", [strict, truncated])
def test_one_seat_by_transferable_votes(elections):
    """With a whole quota of Droop; the peer breaks ties by itself.

    With more seats it elects all that reach the quota at once, and a part of a ballot that ties items moves below the
    tie when one of them is eliminated, where the mediator shares the ballot anew among the others.
    """
    for election in elections(PROFILES, seed=15):
        (elected,) = stv_wig(peer(election), num_seats=1, quota_rule="droop")
        slates = mediate(election.profile, "stv", k=1).slates
        assert (str(elected),) in slates, election


def test_the_chances_of_a_random_dictator():
    for election in strict(PROFILES, seed=16):
        given = Profile(election.orders, rcounts=election.weights.tolist())
        expected = {str(item): chance for item, chance in random_dictator(given).items()}
        assert mediate(election.profile, "random_dictatorship").scores == pytest.approx(expected), election
        assert mediate(election.profile, "random_serial_dictatorship").scores == pytest.approx(expected), election


@pytest.mark.parametrize("elections", [strict, weak])
def test_the_maximal_lottery_where_there_is_one(elections):
    """With odd margins there is one; the peer gives one of several otherwise."""
    compared = 0
    for election in elections(PROFILES, seed=17):
        given = peer(election)
        margins = [given.margin(a, b) for a in election.items for b in election.items if a < b]
        if not all(margin % 2 for margin in margins):
            continue
        compared += 1
        expected = {str(item): chance for item, chance in maximal_lottery(given).items()}
        assert mediate(election.profile, "maximal_lottery").scores == pytest.approx(expected, abs=1e-6), election
    assert compared > 40
