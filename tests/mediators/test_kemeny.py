"""Kemeny's rule and its squared form against all orders, and what they say where they cannot look at all."""

from itertools import permutations
from time import monotonic

import numpy as np
import pytest

from simulator.mediation import mediate
from simulator.mediators import kemeny
from simulator.mediators.families.best_orders import BestOrders
from simulator.mediators.families.insertion import as_good, gains, improved, moved
from simulator.mediators.families.order_program import best_order
from simulator.mediators.families.squared import _changes, distances
from simulator.profile import Profile


def cost(profile, order, power):
    """sum_i w_i K(r_i, order)^power, pair by pair."""
    total = 0.0
    for ranks, weight in zip(profile.ranks.tolist(), profile.weights.tolist(), strict=True):
        against = sum(ranks[a] > ranks[b] for i, a in enumerate(order) for b in order[i + 1 :])
        total += weight * against**power
    return total


def random_profile(rng):
    n, m = int(rng.integers(0, 6)), int(rng.integers(1, 7))
    weights = rng.choice([0, 0.1, 0.2, 0.3, 1, 2], n)
    return Profile.from_utilities(rng.integers(0, 6, (n, m)), "abcdef"[:m], weights)


@pytest.mark.parametrize(("rule", "power"), [("kemeny", 1), ("squared_kemeny", 2)])
def test_all_best_orders_are_found(rule, power):
    rng = np.random.default_rng(power)
    for _ in range(40):
        profile = random_profile(rng)
        k = int(rng.integers(1, profile.m + 1))
        outcome = mediate(profile, rule, k=k, tie="seeded", seed=3)
        costs = {order: cost(profile, order, power) for order in permutations(range(profile.m))}
        best = [order for order in costs if costs[order] <= min(costs.values()) + 1e-9]
        assert outcome.order in best
        assert outcome.trace.cost == pytest.approx(costs[best[0]])
        assert outcome.trace.optimal
        assert outcome.complete
        named = [[profile.items[item] for item in order] for order in best]
        assert set(outcome.winners) == {order[0] for order in named}
        assert {frozenset(slate) for slate in outcome.slates} == {frozenset(order[:k]) for order in named}
        for tier in outcome.tiers:
            for item in tier:
                places = {order.index(item) for order in named}
                assert (len(tier) == 1) <= (len(places) == 1)


@pytest.mark.parametrize("rule", ["kemeny", "squared_kemeny"])
def test_published_costs(rule):
    tennessee = Profile.from_rankings(["MNCK", "NCKM", "CKNM", "KCNM"], [42, 26, 15, 17], items="MNCK")
    two_to_one = Profile.from_rankings(["ABC", "CBA"], [2, 1])
    if rule == "kemeny":
        outcome = mediate(tennessee, rule)
        assert (outcome.ranking, outcome.trace.cost) == (tuple("NCKM"), 207)  # 393 of 600 pairs agree
        assert mediate(two_to_one, rule).ranking == tuple("ABC")
    else:
        outcome = mediate(two_to_one, rule)
        assert (sorted(outcome.winners), outcome.trace.cost) == (["A", "B"], 6)
        assert outcome.ranking in {tuple("ACB"), tuple("BAC")}


def test_large_groups_are_solved_by_parts_and_by_the_program(monkeypatch):
    """With small limits the same profiles go the way of large ones, and cost the same."""
    rng = np.random.default_rng(5)
    profiles = [Profile.from_utilities(rng.integers(0, 9, (4, 9)), "abcdefghi") for _ in range(12)]
    at_once = [mediate(profile, "kemeny") for profile in profiles]
    for limit in (5, 2):
        monkeypatch.setattr(kemeny, "MOST_ITEMS", limit)
        for profile, expected in zip(profiles, at_once, strict=True):
            outcome = mediate(profile, "kemeny")
            assert outcome.trace.optimal
            assert outcome.trace.cost == expected.trace.cost
            assert set(outcome.winners) <= set(expected.winners)
            if outcome.complete:
                assert sorted(outcome.winners) == sorted(expected.winners)
                assert outcome.tiers == expected.tiers


def test_program_and_dynamic_programme_agree():
    rng = np.random.default_rng(8)
    for _ in range(6):
        margins = np.triu(rng.integers(-3, 4, (11, 11)), 1).astype(float)
        margins -= margins.T
        found = best_order(margins, 0.0, monotonic() + 60)
        assert found.optimal
        here = np.maximum(-margins, 0)[np.ix_(found.order, found.order)]
        exact = BestOrders(np.maximum(-margins, 0), 0.0)
        order = list(exact.orders(1, range(11)).order)
        assert np.triu(here, 1).sum() == np.triu(np.maximum(-margins, 0)[np.ix_(order, order)], 1).sum()


def test_five_ballots_on_fifty_items_with_shared_quality_are_solved():
    rng = np.random.default_rng(0)
    quality = np.linspace(0, 3, 50) + rng.gumbel(size=(5, 50))
    profile = Profile.from_utilities(quality, [f"i{i}" for i in range(50)])
    outcome = mediate(profile, "kemeny")
    assert outcome.trace.optimal
    assert not outcome.complete
    assert outcome.trace.cost < cost(profile, mediate(profile, "borda").order, 1)


def test_without_time_the_heuristic_answers_and_says_so():
    rng = np.random.default_rng(1)
    profile = Profile.from_utilities(rng.random((5, 40)), [f"i{i}" for i in range(40)])
    outcome = mediate(profile, "kemeny(time_limit=0)")
    assert outcome.trace.optimal is False
    assert not outcome.complete
    assert any("not proved" in note for note in outcome.notes)
    assert outcome.trace.cost == cost(profile, outcome.order, 1)


def test_items_that_nobody_compares_tie_however_many_there_are():
    outcome = mediate(Profile.from_rankings(["a"], items=[*"abcdefghijklmnopqrstuvwxyz"]), "kemeny")
    assert outcome.winners == ("a",)
    assert len(outcome.tiers) == 2
    everything = mediate(Profile.from_rankings([[]], items=[*"abcdefghijklmnopqrstuvwxyz"]), "kemeny")
    assert len(everything.winners) == 26
    assert everything.complete


@pytest.mark.parametrize("limit", [-1, float("nan"), float("inf")])
def test_time_limits_that_are_no_numbers_of_seconds_are_refused(limit):
    with pytest.raises(ValueError, match="seconds"):
        mediate(Profile.from_rankings(["ab"]), {"name": "kemeny", "time_limit": limit})


def test_moves_save_what_they_say():
    rng = np.random.default_rng(4)
    margins = np.triu(rng.integers(-3, 4, (7, 7)), 1).astype(float)
    margins -= margins.T

    def total(order):
        return np.triu(margins[np.ix_(order, order)], 1).sum()

    order = rng.permutation(7)
    saved = gains(margins, order)
    for here in range(7):
        for there in range(7):
            assert total(moved(order, here, there)) - total(order) == 2 * saved[here, there]
    better = improved(margins, order, 0.0)
    assert gains(margins, better).max() <= 0
    assert {total(other) for other in as_good(margins, better, 0.0, 50)} == {total(better)}


def test_changes_of_squared_distances_are_those_of_the_moves():
    rng = np.random.default_rng(6)
    ranks, order = rng.integers(0, 7, (3, 7)), rng.permutation(7)
    moves, exchanges = _changes(ranks, order)
    for i in range(7):
        for j in range(7):
            other = order.copy()
            other[[i, j]] = other[[j, i]]
            assert (distances(ranks, moved(order, i, j)) == distances(ranks, order) + moves[:, i, j]).all()
            assert (distances(ranks, other) == distances(ranks, order) + exchanges[:, i, j]).all()


def test_squared_kemeny_of_many_items_is_found_by_search_and_says_so():
    rng = np.random.default_rng(2)
    profile = Profile.from_utilities(rng.random((4, 12)), "abcdefghijkl", [1, 2, 1, 1])
    outcome = mediate(profile, "squared_kemeny")
    assert outcome.trace.optimal is False
    assert not outcome.complete
    assert outcome.trace.cost == cost(profile, outcome.order, 2)
    assert outcome.trace.cost <= cost(profile, mediate(profile, "kemeny").order, 2)
