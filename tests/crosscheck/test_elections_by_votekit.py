"""Rules on rankings against VoteKit; it breaks ties by itself, so what it elects is among what is tied here."""

from fractions import Fraction

import pytest
from votekit import RankBallot, RankProfile
from votekit.ballot import ScoreBallot
from votekit.elections import IRV, STV, Approval, Borda, Plurality, RankedPairs, Schulze
from votekit.pref_profile import ScoreProfile

from simulator.mediation import mediate
from simulator.profile import Profile
from tests.crosscheck.elections import approvals, strict

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of pandas, about VoteKit
PROFILES = 60
NAMES = "ABCDE"


def peer(election):
    ballots = [
        RankBallot(ranking=[{NAMES[item]} for item in order], weight=Fraction(int(weight)))
        for order, weight in zip(election.orders, election.weights, strict=True)
    ]
    return RankProfile(ballots=ballots, candidates=[NAMES[item] for item in election.items])


def elected(election):
    return sorted(str(NAMES.index(name)) for group in election.get_elected() for name in group)


def scores_of(election):
    return {str(NAMES.index(name)): float(score) for name, score in election.election_states[0].scores.items()}


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_transferable_votes_one_election_at_a_time(seats):
    """Whole quota of Droop, fractional transfer; a round is one election or one elimination."""
    alone = 0
    for election in strict(PROFILES, seed=41, items=(seats + 1, 5), ballots=(3, 12)):
        try:
            count = STV(peer(election), n_seats=seats, simultaneous=False, tiebreak="random", rng_seed=1, exact=True)
        except IndexError:  # it forgets items that only ballots without any weight left name, and finds none to elect
            continue
        slates = sorted(map(sorted, mediate(election.profile, "stv", k=seats).slates))
        assert elected(count) in slates, election
        alone += len(slates) == 1
    assert alone > PROFILES / 3


def test_instant_runoff():
    for election in strict(PROFILES, seed=42):
        winners = mediate(election.profile, "irv").winners
        assert elected(IRV(peer(election), tiebreak="random", rng_seed=1, exact=True))[0] in winners, election


def test_the_scores_of_borda_and_plurality():
    for election in strict(PROFILES, seed=43):
        m = len(election.items)
        borda = Borda(peer(election), score_vector=list(range(m - 1, -1, -1)), tiebreak="random", rng_seed=1)
        assert mediate(election.profile, "borda").scores == pytest.approx(scores_of(borda)), election
        plurality = Plurality(peer(election), tiebreak="random", rng_seed=1)
        assert mediate(election.profile, "plurality").scores == pytest.approx(scores_of(plurality)), election


@pytest.mark.parametrize(("rule", "method"), [("ranked_pairs", RankedPairs), ("schulze", Schulze)])
def test_condorcet_methods(rule, method):
    """Where there is one order without ties: the peer elects the first name of a top set that is larger otherwise."""
    compared = 0
    for election in strict(PROFILES * 2, seed=44, ballots=(3, 15)):
        outcome = mediate(election.profile, rule)
        if len(outcome.tiers) == len(election.items):
            compared += 1
            assert elected(method(peer(election))) == list(outcome.winners), election
    assert compared > PROFILES


def test_approval_voting():
    for matrix, k in approvals(PROFILES, seed=45, items=5):
        ballots = [ScoreBallot(scores={NAMES[i]: 1 for i, yes in enumerate(row) if yes}) for row in matrix]
        given = ScoreProfile(ballots=ballots, candidates=list(NAMES[: matrix.shape[1]]))
        names = list(map(str, range(matrix.shape[1])))
        ours = Profile.from_approvals(
            [[n for n, yes in zip(names, row, strict=True) if yes] for row in matrix], items=names
        )
        k = min(k, int(matrix.any(axis=0).sum()))  # it elects no item without approvals
        chosen = elected(Approval(given, n_seats=k, tiebreak="random", rng_seed=1))
        assert chosen in sorted(map(sorted, mediate(ours, "av", k=k).slates))
