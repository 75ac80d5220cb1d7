"""Side by side with the peers, in one process: CPU time of the median of 5 runs, profile construction included.

Both sides get the same Python lists: names for the mediators, which is what people have, numbers for the peers, which
take no others. Both run once before on a small profile, so that what is compiled at run time is not counted.
"""

from collections.abc import Callable
from statistics import median
from time import process_time

import numpy as np
import pytest
from abcvoting import abcrules
from abcvoting.preferences import Profile as ApprovalProfile
from pref_voting import voting_methods as methods
from pref_voting.profiles import Profile as RankingProfile
from pref_voting.proportional_methods import stv_wig

from simulator.mediation import mediate
from simulator.profile import Profile

VOTERS, ITEMS, SEATS = 1000, 100, 20
LEAST = {
    ("borda", methods.borda): 10,
    ("schulze", methods.beat_path): 10,
    ("irv", methods.instant_runoff): 10,  # the faster of its forms; `_put` does not end on this profile
    ("copeland", methods.copeland): 1,
    ("minimax", methods.minimax): 1,
    ("ranked_pairs", methods.ranked_pairs_tb): 1,
}
SEQUENTIAL = {"seq_pav": "seqpav", "seq_phragmen": "seqphragmen", "mes": "equal-shares"}


def seconds(work: Callable[[], object], runs: int = 5) -> float:
    times = []
    for _ in range(runs):
        began = process_time()
        work()
        times.append(process_time() - began)
    return median(times)


def compare(rule: str, ours: Callable[[], object], peer: Callable[[], object], least: float) -> None:
    ours()
    mine, its = seconds(ours), seconds(peer)
    print(
        f"\n{rule:<14} {mine * 1e3:>9.2f} ms {its * 1e3:>9.2f} ms {its / mine:>7.1f} times (at least {least})", end=""
    )
    assert its / mine >= least


@pytest.fixture(scope="module", params=[0.0, 0.3], ids=["uniform", "around one order"])
def orders(request):
    rng = np.random.default_rng(1)
    return np.argsort(rng.random((VOTERS, ITEMS)) + request.param * np.arange(ITEMS) / ITEMS, axis=1).tolist()


@pytest.mark.parametrize(("rule", "method"), LEAST, ids=[rule for rule, _ in LEAST])
def test_rankings_beside_pref_voting(rule, method, orders):
    names = list(map(str, range(ITEMS)))
    ballots = [[names[item] for item in order] for order in orders]
    method(RankingProfile([[0, 1, 2], [1, 2, 0], [2, 0, 1]]))
    compare(
        rule,
        lambda: mediate(Profile.from_rankings(ballots, items=names), rule).winners,
        lambda: method(RankingProfile(orders)),
        LEAST[rule, method],
    )


def test_transferable_votes_beside_pref_voting():
    orders = np.argsort(np.random.default_rng(2).random((VOTERS, ITEMS)), axis=1).tolist()
    names = list(map(str, range(ITEMS)))
    ballots = [[names[item] for item in order] for order in orders]
    compare(
        "stv",
        lambda: mediate(Profile.from_rankings(ballots, items=names), "stv", k=SEATS).slates,
        lambda: stv_wig(RankingProfile(orders), num_seats=SEATS, quota_rule="droop"),
        10,
    )


@pytest.mark.parametrize("rule", SEQUENTIAL)
def test_approvals_beside_abcvoting(rule):
    """The peer gives one committee, by its fastest algorithm; the mediators follow all ties, and there are some."""
    names = list(map(str, range(ITEMS)))
    numbers = [
        [np.flatnonzero(row).tolist() for row in np.random.default_rng(seed).random((VOTERS, ITEMS)) < 0.1]
        for seed in range(3)
    ]
    ballots = [[[names[item] for item in ballot] for ballot in election] for election in numbers]

    def peer():
        for election in numbers:
            given = ApprovalProfile(ITEMS)
            given.add_voters(election)
            abcrules.compute(SEQUENTIAL[rule], given, SEATS)

    def ours():
        for election in ballots:
            assert mediate(Profile.from_approvals(election, items=names), rule, k=SEATS).slates

    compare(rule, ours, peer, 40)
