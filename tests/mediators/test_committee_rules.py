"""PAV, SLAV, Chamberlin-Courant and Monroe: definitions, ties, the integer program, what is said without a proof."""

from fractions import Fraction

import numpy as np
import pytest
from approval_definitions import best_slates, monroe, thiele
from test_sequential_rules import profile_of, random_profiles

from simulator.mediation import mediate
from simulator.mediators import monroe as monroe_module
from simulator.mediators.families import integer_program
from simulator.mediators.families import thiele as thiele_module
from simulator.profile import Profile
from simulator.registry import RegistryError

GAINS = {
    "pav": [Fraction(1, j) for j in range(1, 9)],
    "slav": [Fraction(1, 2 * j - 1) for j in range(1, 9)],
    "cc": [1, 0, 0, 0, 0, 0, 0, 0],
}
RULES = [*GAINS, "monroe"]


def expected(rule, ballots, weights, items, k):
    if rule == "monroe":
        return best_slates(monroe(ballots, [3 * w for w in weights], k), items, k)
    return best_slates(thiele(GAINS[rule], ballots, weights), items, k)


def by_program(monkeypatch):
    for module in (thiele_module, monroe_module):
        monkeypatch.setattr(module, "MOST_ENUMERATED", 0)


def as_profile(rule, ballots, weights, items):
    return profile_of(ballots, [3 * w for w in weights] if rule == "monroe" else weights, items)


@pytest.mark.parametrize("rule", RULES)
def test_all_tied_slates_are_those_of_the_definition(rule):
    several = 0
    for ballots, weights, items, k in random_profiles(40, seed=21):
        outcome = mediate(as_profile(rule, ballots, weights, items), rule, k=k)
        best = expected(rule, ballots, weights, items, k)
        assert outcome.complete
        assert {frozenset(slate) for slate in outcome.slates} == best
        assert len(outcome.slates) == len(best)
        several += len(best) > 1
    assert several > 8


@pytest.mark.parametrize("rule", RULES)
def test_integer_program_finds_what_comparing_all_slates_finds(rule, monkeypatch):
    monkeypatch.setattr(integer_program, "MOST_TIED", 60)
    for ballots, weights, items, k in random_profiles(6, seed=4, least=2):
        profile = as_profile(rule, ballots, weights, items)
        compared = mediate(profile, rule, k=k)
        with monkeypatch.context() as patch:
            by_program(patch)
            solved = mediate(profile, rule, k=k)
        assert solved.notes == ("Proved best by an integer program.",)
        assert solved.slates == compared.slates
        assert solved.tiers == compared.tiers
        assert solved.trace.optimal
        assert [worth for _, worth in solved.trace.slates] == pytest.approx([w for _, w in compared.trace.slates])


def test_more_tied_slates_than_the_program_looks_for_are_said(monkeypatch):
    by_program(monkeypatch)
    monkeypatch.setattr(integer_program, "MOST_TIED", 3)
    outcome = mediate(Profile.from_approvals(["a", "b", "c", "d"]), "cc", k=2)
    assert len(outcome.slates) == 3
    assert not outcome.complete
    assert outcome.trace.optimal
    assert outcome.notes == ("Proved best by an integer program. Other slates may be as good.",)


@pytest.mark.parametrize("rule", RULES)
def test_without_time_a_good_slate_is_delivered_and_said_to_be_unproved(rule, monkeypatch):
    by_program(monkeypatch)
    rng = np.random.default_rng(3)
    items = [f"i{j}" for j in range(30)]
    ballots = [[item for item in items if rng.random() < 0.2] for _ in range(40)]
    outcome = mediate(Profile.from_approvals(ballots, items=items), f"{rule}(time_limit=1e-9)", k=5)
    assert len(set(outcome.slate)) == 5
    assert not outcome.complete
    assert outcome.trace.optimal is False
    assert outcome.notes[-1].startswith("Not proved best within 1e-09 s: found by gree")
    first = {"monroe": "greedy_monroe", "cc": "seq_cc"}.get(rule, "seq_pav")
    sequential = mediate(Profile.from_approvals(ballots, items=items), first, k=5)
    if rule in GAINS:
        worth = thiele(GAINS[rule], [frozenset(b) for b in ballots], [1] * 40)
        assert worth(frozenset(outcome.slate)) >= worth(frozenset(sequential.slate))
    else:
        assert sorted(outcome.slate) == sorted(sequential.slate)


def test_hundred_items_are_beyond_comparing_and_within_the_program():
    rng = np.random.default_rng(5)
    items = [f"i{j}" for j in range(100)]
    ballots = [[item for item in items if rng.random() < 0.1] for _ in range(20)]
    outcome = mediate(Profile.from_approvals(ballots, items=items), "pav", k=4)
    assert outcome.notes[0].startswith("Proved best by an integer program.")
    sequential = mediate(Profile.from_approvals(ballots, items=items), "seq_pav", k=4)
    worth = thiele(GAINS["pav"], [frozenset(b) for b in ballots], [1] * 20)
    assert worth(frozenset(outcome.slate)) >= worth(frozenset(sequential.slate))
    assert outcome.trace.slates[0][1] == pytest.approx(float(worth(frozenset(outcome.slate))))


def test_alike_items_are_listed_in_every_way_and_tied():
    profile = Profile.from_approvals(["abc", "abc", "abc", "d"], items="abcde")
    outcome = mediate(profile, "pav", k=3)
    assert outcome.slates == (("a", "b", "c"), ("a", "b", "d"), ("a", "c", "d"), ("b", "c", "d"))
    assert outcome.tiers == (("a", "b", "c", "d"), ("e",))
    assert mediate(profile, "cc", k=3, tie="seeded", seed=3).complete


def test_monroe_gives_each_item_its_share_and_no_more():
    # Of 4 ballots, 3 items represent 2, 1 and 1 (Sanchez-Fernandez et al.: n not a multiple of k).
    profile = Profile.from_approvals(["a", "a", "a", "b"], items="abc")
    assert mediate(profile, "monroe", k=2).trace.slates[0][1] == 3
    halves = Profile.from_approvals(["a", "a", "a", "b"], [0.5] * 4, items="abc")
    assert mediate(halves, "monroe", k=2).trace.slates[0][1] == pytest.approx(1.5)
    uneven = Profile.from_approvals(["a", "b"], [0.7, 0.3], items="abc")
    assert mediate(uneven, "monroe", k=2).trace.slates[0][1] == pytest.approx(0.8)


def test_many_items_in_a_monroe_slate_are_assigned_by_linear_program(monkeypatch):
    profile = Profile.from_approvals([[a, b] for a, b in zip("abcdefgh", "bcdefgha", strict=True)], items="abcdefghij")
    shown = mediate(profile, "monroe", k=8).trace.slates
    monkeypatch.setattr(monroe_module, "MOST_SUBSETS", 1)
    assert mediate(profile, "monroe", k=8).trace.slates == tuple((slate, pytest.approx(w)) for slate, w in shown)
    assert shown[0][1] == 8


@pytest.mark.parametrize("limit", [0, -1])
def test_time_limit_must_be_above_zero(limit):
    with pytest.raises(RegistryError, match="must be above 0 seconds"):
        mediate(Profile.from_approvals(["a"]), f"pav(time_limit={limit})")
