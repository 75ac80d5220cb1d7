"""The expanding approvals rule: every tie-breaking, the authors' example, ties and approvals as ballots."""

from itertools import combinations

import numpy as np
import pytest

from simulator.mediation import mediate
from simulator.profile import Profile
from tests.mediators.every_course import agrees, expanding_approvals_orders, random_profile


@pytest.mark.parametrize("ties", [True, False], ids=["weak", "strict"])
def test_outcome_lists_what_every_way_to_break_ties_comes_to(ties):
    for seed in range(150):
        profile = random_profile(seed, ties=ties, most_items=4 if ties else 5)
        k = seed % profile.m + 1
        outcome = mediate(profile, "expanding_approvals", k=k, tie="seeded", seed=seed)
        assert agrees(outcome, expanding_approvals_orders(profile, k))


def test_example_of_the_authors_represents_the_almost_solid_coalition():
    """Aziz and Lee's Example 7; the committee was computed with fractions elsewhere."""
    one = ["e1", "e2", "e3", "e4", "c1", "c2", "c3", "d1"]
    profile = Profile.from_rankings(
        [
            ["c1", "c2", "c3", "e1", "e2", "e3", "e4", "d1"],
            ["c2", "c3", "c1", "e1", "e2", "e3", "e4", "d1"],
            ["c3", "c1", "d1", "c2", "e1", "e2", "e3", "e4"],
            *[one] * 6,
        ]
    )
    outcome = mediate(profile, "expanding_approvals", k=3)
    assert outcome.slate == ("e1", "e2", "c1")
    assert outcome.complete
    assert len(outcome.slates) == 1
    assert [step.value for step in outcome.trace.steps] == pytest.approx([6, 11 / 3, 3])
    assert [step.note for step in outcome.trace.steps] == ["at depth 1", "at depth 2", "at depth 3"]
    assert "the quota is 2.33333" in outcome.trace.rule


def test_a_tie_is_approved_at_its_first_place_and_unranked_items_after_all_ranked_ones():
    profile = Profile.from_rankings([[["a", "b"], "c"], ["d"]], [3, 1], items="abcd")
    assert [step.note for step in mediate(profile, "expanding_approvals", k=2).trace.steps] == [
        "at depth 1, tied with 1 more",
        "at depth 1",
    ]
    late = Profile.from_rankings([["a"], ["b"], ["c"]], items="abc")
    assert mediate(late, "expanding_approvals").trace.steps[0].note == "at depth 2, tied with 2 more"


def test_items_that_are_elected_come_in_order_of_election_and_the_others_in_rank_maximal_order():
    profile = Profile.from_rankings(["abcd", "abdc", "badc"], items="abcd")
    outcome = mediate(profile, "expanding_approvals")
    assert outcome.tiers == (("a",), ("b",), ("d",), ("c",))


@pytest.mark.parametrize("scale", [1e-99, 0.01, 1e99])
def test_little_weight_fills_all_seats(scale):
    profile = Profile.from_rankings(["abcxyz", "xyzabc"], [scale, scale])
    assert mediate(profile, "expanding_approvals", k=4).slates == (("a", "b", "x", "y"),)


def test_approvals_are_represented_proportionally():
    """PJR by its definition: l k-ths of the weight with l items in common have l approved items in every slate."""
    rng = np.random.default_rng(3)
    tested = 0
    for _ in range(150):
        m, n = int(rng.integers(2, 6)), int(rng.integers(1, 6))
        approved = rng.random((n, m)) < rng.uniform(0.2, 0.8)
        weights = rng.choice([0.5, 1, 1, 2], n)
        k = int(rng.integers(1, m + 1))
        profile = Profile(tuple("abcdef"[:m]), np.where(approved, 0, m), weights, None, approved)
        slates = mediate(profile, "expanding_approvals", k=k).tied_slates
        for size in range(1, n + 1):
            for group in map(list, combinations(range(n), size)):
                shares = int(weights[group].sum() * k / weights.sum() + 1e-9)
                due = min(shares, int(approved[group].all(axis=0).sum()))
                tested += due > 0
                assert all(approved[group].any(axis=0)[list(slate)].sum() >= due for slate in slates)
    assert tested > 400
