"""Slates: enumeration, search above its bound, ties, and the sequential rules' way to list them."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from simulator.mediation import mediate
from simulator.mediators.families import sequential, slates
from simulator.profile import Profile


def nash_of(values, slate):
    return float(np.prod(values[:, list(slate)].sum(axis=1)))


def test_search_finds_the_exact_nash_slate_on_most_small_instances(monkeypatch):
    rng = np.random.default_rng(2)
    found = 0
    for _ in range(40):
        values = rng.random((4, 9))
        profile = Profile.from_utilities(values, "abcdefghi")
        exact = mediate(profile, "nash_slate", k=4)
        best = max(nash_of(values, slate) for slate in combinations(range(9), 4))
        assert nash_of(values, exact.slate_indices) == pytest.approx(best)
        with monkeypatch.context() as patch:
            patch.setattr(slates, "MOST_ENUMERATED", 10)
            searched = mediate(profile, "nash_slate", k=4)
        assert not searched.complete
        assert "single swaps" in searched.notes[-1]
        value = nash_of(values, searched.slate_indices)
        found += value == pytest.approx(best)
        one_swap_away = [
            (set(searched.slate_indices) - {out}) | {new}
            for out in searched.slate_indices
            for new in set(range(9)) - set(searched.slate_indices)
        ]
        assert max(nash_of(values, slate) for slate in one_swap_away) <= value * (1 + 1e-9)
    assert found >= 36


def test_exact_choice_says_how_many_slates_it_compared():
    outcome = mediate(Profile.from_utilities([[0.1, 0.5, 0.9]], "abc"), "leximin_slate", k=2)
    assert outcome.complete
    assert outcome.notes[-1] == "All 3 slates were compared."
    assert outcome.slate == ("c", "b")


def test_fifty_items_are_searched_above_the_bound():
    profile = Profile.from_utilities(np.random.default_rng(0).random((4, 50)), [f"i{j}" for j in range(50)])
    assert mediate(profile, "nash_slate", k=3).complete
    assert not mediate(profile, "nash_slate", k=4).complete
    assert len(set(mediate(profile, "leximin_slate", k=10).slate)) == 10


def test_nash_slate_serves_both_where_items_alone_serve_one():
    values = [[1.0, 0.6, 0.0, 0.1], [0.0, 0.1, 1.0, 0.6], [0.0, 0.1, 1.0, 0.6]]
    profile = Profile.from_utilities(values, "abcd")
    assert mediate(profile, "utilitarian", k=2).slate == ("c", "d")
    outcome = mediate(profile, "nash_slate", k=2)
    assert sorted(outcome.slate) == ["a", "c"]


def test_items_of_some_tied_slates_share_a_tier_between_those_of_all_and_none():
    profile = Profile.from_utilities([[1.0, 0.5, 0.5, 0.1]], "abcd")
    outcome = mediate(profile, "leximin_slate", k=2)
    assert outcome.slates == (("a", "b"), ("a", "c"))
    assert outcome.tiers == (("a",), ("b", "c"), ("d",))
    later = mediate(profile, "leximin_slate", k=2, tie="seeded", seed=next(s for s in range(99) if _c_first(s)))
    assert later.slate == ("a", "c")


def _c_first(seed):
    from simulator.tie import priority

    order = priority("seeded", 4, seed=seed).tolist()
    return order.index(2) < order.index(1)


def test_more_tied_slates_than_the_bound_are_cut_and_said():
    profile = Profile.from_rankings([], items=[f"i{j}" for j in range(20)])
    outcome = mediate(profile, "nash_slate", k=5)
    assert len(outcome.slates) == 1000
    assert not outcome.complete
    assert outcome.to_json()["complete"] is False


def test_committee_is_padded_in_every_way_when_supporters_run_out():
    profile = Profile.from_approvals([["a"], ["a"]], items="abcd")
    for rule in ("seq_pav", "seq_phragmen"):
        outcome = mediate(profile, rule, k=2)
        assert outcome.slates == (("a", "b"), ("a", "c"), ("a", "d"))
        assert outcome.tiers == (("a",), ("b", "c", "d"))


def test_sequential_ranking_alternates_between_equal_groups():
    profile = Profile.from_approvals(["ab", "ab", "xy"], [1, 1, 1.5], items="abxy")
    assert mediate(profile, "seq_pav", k=4).ranking == ("a", "x", "b", "y")
    assert [step.value for step in mediate(profile, "seq_pav", k=4).trace.steps] == [2, 1.5, 1, 0.75]
    loads = [step.value for step in mediate(profile, "seq_phragmen", k=4).trace.steps]
    assert loads == pytest.approx([1 / 2, 2 / 3, 1, 4 / 3])


def test_items_whose_order_depends_on_tie_breaking_share_a_tier():
    profile = Profile.from_approvals(["ac", "bc", "c"], items="abcd")
    outcome = mediate(profile, "seq_pav", k=2)
    assert outcome.tiers == (("c",), ("a", "b"), ("d",))
    assert outcome.winners == ("c",)


def test_too_many_ways_to_break_ties_are_said_and_one_is_followed(monkeypatch):
    profile = Profile.from_approvals(["a", "b", "c", "d", "e"], [1, 1, 1, 1, 1], items="fabcde")
    full = mediate(profile, "seq_phragmen", k=2)
    monkeypatch.setattr(sequential, "MOST_STATES", 3)
    cut = mediate(profile, "seq_phragmen", k=2)
    assert full.complete
    assert len(full.slates) == 10
    assert not cut.complete
    assert cut.slates == (("a", "b"),)
    assert cut.tiers == full.tiers == (("a", "b", "c", "d", "e"), ("f",))
    assert cut.winners == full.winners == ("a", "b", "c", "d", "e")
    assert "more ways to break ties" in cut.notes[-1]


def test_tied_slates_stay_tied_where_their_items_alone_are_not():
    values = [[1.0, 0.5, 0.5, 0.0, 0.0], [0.0, 0.5, 0.5, 1.0, 0.0]]
    outcome = mediate(Profile.from_utilities(values, "abcde"), "nash_slate", k=2)
    assert outcome.slates == (("a", "d"), ("b", "c"))
    assert outcome.slate == ("a", "d")
    assert [sorted(tier) for tier in outcome.tiers] == [["a", "b", "c", "d"], ["e"]]


def test_search_swaps_away_what_greedy_choice_took_first(monkeypatch):
    monkeypatch.setattr(slates, "MOST_ENUMERATED", 1)
    values = np.zeros((4, 6))
    values[:2, :3] = values[2:, 3:] = [
        [0.5, 1.0, 0.0],
        [0.5, 0.0, 1.0],
    ]  # greedy choice takes both compromises, x and y
    outcome = mediate(Profile.from_utilities(values, "xabycd"), "nash_slate", k=4)
    assert not outcome.complete
    assert sorted(outcome.slate) == ["a", "b", "c", "d"]


def every_slate(rule, ballots, weights, items, k):
    """All slates by following every branch in exact fractions: the definitions, word for word."""
    found = set()

    def choose(chosen, got):
        if len(chosen) == k:
            found.add(frozenset(chosen))
            return
        worth = {}
        for item in items - chosen:
            fans = [i for i, ballot in enumerate(ballots) if item in ballot]
            if rule == "seq_pav":
                worth[item] = sum(weights[i] / (1 + got[i]) for i in fans)
            elif fans:
                worth[item] = -(1 + sum(weights[i] * got[i] for i in fans)) / sum(weights[i] for i in fans)
        top = max(worth.values(), default=None)
        for item in items - chosen:
            if worth.get(item) == top:
                gain = got[:] if top is None else [1 + g if rule == "seq_pav" else -top for g in got]
                choose(chosen | {item}, [gain[i] if item in ballot else got[i] for i, ballot in enumerate(ballots)])

    choose(frozenset(), [Fraction(0)] * len(ballots))
    return found


@pytest.mark.parametrize("rule", ["seq_pav", "seq_phragmen"])
def test_sequential_rules_follow_every_branch_of_their_definition(rule):
    rng = np.random.default_rng(12)
    several = 0
    for _ in range(150):
        items = "abcdef"
        ballots = ["".join(rng.choice(list(items), rng.integers(1, 4), replace=False)) for _ in range(5)]
        weights = [Fraction(int(w), 3) for w in rng.integers(1, 3, 5)]
        outcome = mediate(Profile.from_approvals(ballots, [float(w) for w in weights], items=items), rule, k=3)
        expected = every_slate(rule, ballots, weights, frozenset(items), 3)
        assert {frozenset(slate) for slate in outcome.slates} == expected
        several += len(expected) > 1
    assert several > 30
