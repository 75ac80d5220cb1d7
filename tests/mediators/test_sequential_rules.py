"""Rules that choose item after item: every way to break ties, rankings, traces, bounds."""

import copy
import pickle
from fractions import Fraction
from itertools import pairwise
from math import comb

import numpy as np
import pytest
from approval_definitions import SEQUENTIAL, every_slate, filled, reverse_pav

from simulator.mediation import mediate
from simulator.mediators.families import branches
from simulator.outcome import Outcome
from simulator.profile import Profile

EVERY = [*SEQUENTIAL, "revseq_pav"]


def random_profiles(count, seed, m=6, n=5, least=1):
    rng = np.random.default_rng(seed)
    items = "abcdefgh"[:m]
    for _ in range(count):
        ballots = [frozenset(rng.choice(list(items), rng.integers(least, 4), replace=False)) for _ in range(n)]
        weights = [Fraction(int(w), 3) for w in rng.integers(1, 3, n)]
        yield ballots, weights, frozenset(items), int(rng.integers(1, m + 1))


def profile_of(ballots, weights, items):
    return Profile.from_approvals([sorted(b) for b in ballots], [float(w) for w in weights], items=sorted(items))


@pytest.mark.parametrize("rule", EVERY)
def test_slates_are_those_of_every_branch_of_the_definition(rule):
    several = 0
    for ballots, weights, items, k in random_profiles(60, seed=12):
        outcome = mediate(profile_of(ballots, weights, items), rule, k=k)
        if rule == "revseq_pav":
            expected = reverse_pav(ballots, weights, items, k)
        else:
            expected = every_slate(SEQUENTIAL[rule], ballots, weights, items, k)
            expected = expected if rule == "mes(completion=none)" else filled(expected, items, k)
        assert outcome.complete
        assert {frozenset(slate) for slate in outcome.slates} == expected
        assert len(outcome.slates) == len(expected)
        several += len(expected) > 1
    assert several > 10


@pytest.mark.parametrize("rule", ["seq_pav", "seq_phragmen", "seq_cc", "revseq_pav"])
def test_winners_are_all_that_can_come_first(rule):
    several = 0
    for ballots, weights, items, k in random_profiles(40, seed=8):
        if rule == "revseq_pav":
            first = reverse_pav(ballots, weights, items, 1)
        else:
            first = every_slate(SEQUENTIAL[rule], ballots, weights, items, 1)
        winners = mediate(profile_of(ballots, weights, items), rule, k=k).winners
        assert {frozenset([item]) for item in winners} == first
        several += len(first) > 1
    assert several > 5


@pytest.mark.parametrize("rule", ["seq_pav", "seq_phragmen", "seq_cc"])
def test_longer_slates_start_with_the_shorter_ones(rule):
    for ballots, weights, items, _ in random_profiles(10, seed=5):
        profile = profile_of(ballots, weights, items)
        slates = [mediate(profile, rule, k=k).slate for k in range(1, 7)]
        assert all(long[: len(short)] == short for short, long in pairwise(slates))
        assert mediate(profile, rule, k=2).ranking == slates[-1]


@pytest.mark.parametrize("rule", EVERY)
def test_tiers_end_where_every_course_has_the_same_items(rule):
    for ballots, weights, items, _ in random_profiles(60, seed=3):
        profile = profile_of(ballots, weights, items)
        agreed = []
        for k in range(1, 7):
            if rule == "revseq_pav":
                slates = reverse_pav(ballots, weights, items, k)
            else:
                start, best, after = SEQUENTIAL[rule]
                from_3 = (lambda ballots, weights, _, start=start: start(ballots, weights, 3), best, after)
                slates = filled(every_slate(from_3, ballots, weights, items, k), items, k)
            agreed += [k] if len(slates) == 1 else []
        ends = np.cumsum([len(tier) for tier in mediate(profile, rule, k=3).tiers]).tolist()
        assert ends == agreed


def test_committee_is_filled_in_every_way_when_supporters_run_out():
    profile = Profile.from_approvals([["a"], ["a"]], items="abcd")
    for rule in ("seq_pav", "seq_phragmen", "seq_cc", "revseq_pav", "mes", "greedy_monroe"):
        outcome = mediate(profile, rule, k=2)
        assert outcome.slates == (("a", "b"), ("a", "c"), ("a", "d"))
        assert outcome.tiers == (("a",), ("b", "c", "d"))


def test_ranking_alternates_between_groups_of_equal_weight():
    profile = Profile.from_approvals(["ab", "ab", "xy"], [1, 1, 1.5], items="abxy")
    assert mediate(profile, "seq_pav", k=4).ranking == ("a", "x", "b", "y")
    assert [step.value for step in mediate(profile, "seq_pav", k=4).trace.steps] == [2, 1.5, 1, 0.75]
    loads = [step.value for step in mediate(profile, "seq_phragmen", k=4).trace.steps]
    assert loads == pytest.approx([1 / 2, 2 / 3, 1, 4 / 3])


def test_reverse_rule_tells_what_went_and_at_which_loss():
    outcome = mediate(Profile.from_approvals(["ab", "ab", "xy"], [1, 1, 1.5], items="abxy"), "revseq_pav", k=2)
    assert [(step.item, step.value, step.act) for step in outcome.trace.steps] == [
        ("y", 0.75, "eliminated"),
        ("b", 1, "eliminated"),
        ("x", 1.5, "eliminated"),
        ("a", 2, "left"),
    ]
    assert outcome.trace.steps[0].note == "tied with 1 more"
    assert outcome.ranking == ("a", "x", "b", "y")
    assert outcome.slates == (("a", "x"), ("a", "y"), ("b", "x"), ("b", "y"))


def test_items_whose_order_depends_on_tie_breaking_share_a_tier():
    outcome = mediate(Profile.from_approvals(["ac", "bc", "c"], items="abcd"), "seq_pav", k=2)
    assert outcome.tiers == (("c",), ("a", "b"), ("d",))
    assert outcome.winners == ("c",)


def test_thousand_tied_slates_are_listed_and_more_are_said_to_be_there():
    profile = Profile.from_approvals([[item] for item in "abcdefghijklmnopqrst"])
    assert len(mediate(profile, "seq_phragmen", k=3).slates) == 1140 - 140
    assert not mediate(profile, "seq_phragmen", k=3).complete
    assert len(mediate(profile, "seq_phragmen", k=2).slates) == 190
    assert mediate(profile, "seq_phragmen", k=2).complete
    last = mediate(profile, "seq_phragmen", k=3, tie="seeded", seed=1)
    assert sorted(last.slate) in [sorted(slate) for slate in last.slates]


@pytest.mark.parametrize("m", [11, 12, 13])
def test_slates_that_are_filled_in_several_ways_are_listed_once_and_all(m):
    items = "abcdefghijklm"[:m]
    for k in range(2, m):
        outcome = mediate(Profile.from_approvals(["abc"], items=items), "seq_cc", k=k)
        with_any = comb(m, k) - comb(m - 3, k)  # whichever of a, b, c comes first, all other items then tie
        assert len(outcome.slates) == len(set(outcome.slates)) == min(with_any, 1000)
        assert outcome.complete == (with_any <= 1000)


def test_too_many_ways_to_break_ties_are_said_and_one_is_followed(monkeypatch):
    profile = Profile.from_approvals(["a", "b", "c", "d", "e"], items="fabcde")
    full = mediate(profile, "seq_phragmen", k=2)
    assert full.complete
    assert len(full.slates) == 10
    monkeypatch.setattr(branches, "MOST_STATES", 3)
    cut = mediate(profile, "seq_phragmen", k=2)
    assert not cut.complete
    assert cut.slates == (("a", "b"),)
    assert cut.winners == full.winners == ("a", "b", "c", "d", "e")
    assert cut.tiers == (("a",), ("b",), ("c",), ("d",), ("e",), ("f",))
    assert "from place 1 on the ranking follows the tie order, and only the delivered slate" in cut.notes[-1]


def test_beyond_the_slate_the_ranking_follows_the_tie_order_sooner(monkeypatch):
    profile = Profile.from_approvals(["a", "a", "b", "c", "d"], items="abcd")
    assert mediate(profile, "seq_pav", k=1).tiers == (("a",), ("b", "c", "d"))
    monkeypatch.setattr(branches, "MOST_WORK_BEYOND", 1)
    outcome = mediate(profile, "seq_pav", k=1)
    assert outcome.tiers == (("a",), ("b",), ("c",), ("d",))
    assert outcome.complete
    assert outcome.notes == (
        "There are more ways to break ties than were followed: from place 2 on the ranking follows the tie order.",
    )
    assert mediate(profile, "seq_pav", k=3).tiers == (("a",), ("b", "c", "d"))


def test_reverse_rule_says_that_it_lost_track_of_the_first_place(monkeypatch):
    monkeypatch.setattr(branches, "MOST_STATES", 2)
    outcome = mediate(Profile.from_approvals(["a", "b", "c", "d"]), "revseq_pav", k=1)
    assert not outcome.complete
    assert outcome.winners == ("a",)
    assert "up to place 4 the ranking follows the tie order" in outcome.notes[-1]


def test_ranking_is_the_same_whenever_it_is_asked_for():
    profile = Profile.from_utilities(np.random.default_rng(1).random((4, 12)), "abcdefghijkl")
    for rule in EVERY:
        first, second = mediate(profile, rule, k=3), mediate(profile, rule, k=3)
        assert first.slate == second.ranking[:3]
        assert first.trace.steps == second.trace.steps
        assert first.slates == second.slates
        for again in (pickle.loads(pickle.dumps(first)), copy.deepcopy(second)):
            assert type(again) is Outcome
            assert again.ranking == first.ranking
            assert again.notes == first.notes


def test_identical_ballots_count_as_one_heavier_ballot():
    ballots = ["ab", "ab", "bc", "bc", "bc", "d"]
    for rule in EVERY:
        many = mediate(Profile.from_approvals(ballots, items="abcd"), rule, k=2)
        few = mediate(Profile.from_approvals(["ab", "bc", "d"], [2, 3, 1], items="abcd"), rule, k=2)
        assert many.tiers == few.tiers
        assert many.slates == few.slates
        assert [step.value for step in many.trace.steps] == pytest.approx([step.value for step in few.trace.steps])


@pytest.mark.parametrize("rule", EVERY)
@pytest.mark.parametrize("weights", [[1e100, 1e-100, 1e100], [2e-100, 1e-100, 2e-100], [3e99, 1e100, 1e100]])
def test_extreme_weights_neither_overflow_nor_vanish(rule, weights):
    outcome = mediate(Profile.from_approvals(["a", "b", "a"], weights, items="abc"), rule, k=2)
    if rule != "mes(completion=none)":
        assert outcome.slates == (("a", "b"),)
    assert outcome.winners == ("a",)
    assert all(np.isfinite(step.value) for step in outcome.trace.steps)
