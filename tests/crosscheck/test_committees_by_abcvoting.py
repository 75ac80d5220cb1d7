"""Rules on approvals against abcvoting: all tied committees, in exact fractions where the peer has them."""

import pytest
from abcvoting import abcrules
from abcvoting.preferences import Profile as ApprovalProfile
from abcvoting.preferences import Voter

from simulator.mediation import mediate
from simulator.profile import Profile
from tests.crosscheck.elections import approvals

PROFILES = 250
EXACT = "standard-fractions"
RULES = {
    "av": ("av", {}),
    "sav": ("sav", {"algorithm": "standard"}),
    "pav": ("pav", {"algorithm": "brute-force"}),
    "slav": ("slav", {"algorithm": "brute-force"}),
    "cc": ("cc", {"algorithm": "brute-force"}),
    "seq_pav": ("seqpav", {}),
    "revseq_pav": ("revseqpav", {}),
    "seq_cc": ("seqcc", {}),
    "monroe": ("monroe", {"algorithm": "brute-force"}),
    "seq_phragmen": ("seqphragmen", {"algorithm": EXACT}),
    "mes": ("equal-shares", {"algorithm": EXACT}),
    "mes(completion=none)": ("equal-shares", {"algorithm": EXACT, "completion": None}),
    "mes(completion=utilitarian)": ("equal-shares-with-av-completion", {"algorithm": EXACT}),
}
WEIGHTED = ("av", "pav", "slav", "cc", "seq_pav", "revseq_pav", "seq_cc", "seq_phragmen")


def committees(rule, matrix, k, weights=None):
    peer = ApprovalProfile(matrix.shape[1])
    peer.add_voters(
        Voter([item for item, approved in enumerate(row) if approved], weight=weight)
        for row, weight in zip(matrix.tolist(), weights or [1] * len(matrix), strict=True)
    )
    name, options = RULES[rule]
    found = abcrules.compute(name, peer, k, resolute=False, **options)
    return sorted(sorted(map(str, committee)) for committee in found)


def ours(rule, matrix, k, weights=None):
    items = list(map(str, range(matrix.shape[1])))
    ballots = [[item for item, approved in zip(items, row, strict=True) if approved] for row in matrix]
    outcome = mediate(Profile.from_approvals(ballots, weights, items=items), rule, k=k)
    assert outcome.complete
    return sorted(map(sorted, outcome.slates))


@pytest.mark.parametrize("rule", RULES)
def test_the_same_committees_win(rule):
    several = 0
    for matrix, k in approvals(PROFILES, seed=31):
        found = ours(rule, matrix, k)
        assert found == committees(rule, matrix, k), (matrix.astype(int).tolist(), k)
        several += len(found) > 1
    assert several > PROFILES / 10


@pytest.mark.parametrize("rule", WEIGHTED)
def test_the_same_committees_win_with_weights(rule):
    for matrix, k in approvals(PROFILES, seed=32):
        weights = [1 + place % 3 for place in range(len(matrix))]
        assert ours(rule, matrix, k, weights) == committees(rule, matrix, k, weights), (matrix.astype(int).tolist(), k)
