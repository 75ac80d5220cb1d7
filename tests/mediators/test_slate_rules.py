"""Slates on utilities: enumeration, search above its bound, ties, batches."""

from itertools import combinations

import numpy as np
import pytest

from simulator.mediation import mediate, mediate_batch
from simulator.mediators.families import nash_search, slates
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


@pytest.mark.parametrize("k", [3, 8])
def test_batch_delivers_what_single_profiles_deliver(k):
    rng = np.random.default_rng(4)
    items = [f"i{j}" for j in range(30)]
    shapes = {"smooth": rng.random((2, 20, 4, 30)), "few levels": rng.integers(0, 3, (2, 20, 4, 30)) / 2}
    sparse = rng.random((2, 20, 4, 30)) * (rng.random((2, 20, 4, 30)) < 0.15)
    for values in (*shapes.values(), sparse):
        profile = Profile.from_utilities(values, items, rng.integers(0, 3, (2, 20, 4)))
        batch = mediate_batch(profile, "nash_slate", k=k, tie="seeded", seed=3)
        singles = [mediate(one, "nash_slate", k=k, tie="seeded", seed=3) for one in profile.singles()]
        assert [tuple(row) for row in batch.order.reshape(40, 30).tolist()] == [one.order for one in singles]
        assert (batch.ranks.reshape(40, 30) == np.array([one.tier_numbers for one in singles])).all()
        assert batch.slates.shape == (2, 20, k)


def test_swaps_do_not_lose_small_utilities_beside_large_ones():
    values = np.array([[[1e18, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]])  # 1e18 + 1 - 1e18 is 0
    slates = np.array([[0, 1]])
    nash_search._swap(values, np.ones((1, 3)), slates)
    assert slates.tolist() == [[1, 2]]


def test_many_ballots_are_searched_rather_than_compared():
    profile = Profile.from_utilities(np.random.default_rng(0).random((2000, 30)), [f"i{j}" for j in range(30)])
    assert mediate(profile, "leximin_slate", k=2).complete
    assert not mediate(profile, "leximin_slate", k=4).complete
