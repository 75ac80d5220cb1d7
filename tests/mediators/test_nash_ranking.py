"""Rules that choose by a function of the whole order or of the best items of a slate: nash_ranking and owa_pav."""

import json
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest

from simulator.mediation import mediate
from simulator.mediators import nash_ranking
from simulator.mediators.families import slate_search
from simulator.profile import Profile

ORACLES = Path(__file__).parents[1] / "oracles"


def welfare(values, weights, order):
    got = values[:, list(order)] @ (1 / np.log2(np.arange(2, len(order) + 2)))
    served = got > 0
    return round(float(weights @ served), 9), round(float(weights @ np.log(np.where(served, got, 1))), 9)


def test_nash_ranking_finds_all_orders_of_the_greatest_product():
    rng = np.random.default_rng(1)
    several = zeros = 0
    for _ in range(60):
        values, weights = rng.integers(0, 3, (3, 4)) / 2, rng.integers(1, 3, 3)
        found = {order: welfare(values, weights, order) for order in permutations(range(4))}
        best = [order for order, worth in found.items() if worth == max(found.values())]
        outcome = mediate(Profile.from_utilities(values, "abcd", weights), "nash_ranking", k=2)
        assert outcome.order == min(best)
        assert sorted(outcome.winners) == sorted({"abcd"[order[0]] for order in best})
        assert sorted(map(sorted, outcome.slates)) == sorted(
            map(list, {tuple(sorted("abcd"[i] for i in o[:2])) for o in best})
        )
        place = {item: number for number, tier in enumerate(outcome.tiers) for item in tier}
        for a, b in combinations("abcd", 2):
            signs = {order.index("abcd".index(a)) < order.index("abcd".index(b)) for order in best}
            assert len(signs) == 1 or place[a] == place[b]
        several += len(best) > 1
        zeros += max(found.values())[0] < weights.sum()
    assert several > 10
    assert zeros > 0


def test_nash_ranking_of_one_ballot_is_its_ranking_and_two_opposite_ones_take_turns():
    assert mediate(Profile.from_utilities([[0.2, 0.9, 0.5]], "abc"), "nash_ranking").ranking == ("b", "c", "a")
    values = [[1, 0.9, 0, 0], [0, 0, 0.9, 1]]
    outcome = mediate(Profile.from_utilities(values, "abcd"), "nash_ranking", k=2)
    assert outcome.winners == ("a", "d")
    assert outcome.slates == (("a", "d"),)
    assert "All 24 orders were compared" in outcome.notes[0]


def test_nash_ranking_by_search_says_so_and_comes_close(monkeypatch):
    rng = np.random.default_rng(2)
    monkeypatch.setattr(nash_ranking, "_MOST_ITEMS", 3)
    reached = 0
    for _ in range(40):
        values, weights = rng.random((4, 5)), rng.integers(1, 3, 4)
        outcome = mediate(Profile.from_utilities(values, "abcde", weights), "nash_ranking")
        assert not outcome.complete
        assert "a better order may exist" in outcome.notes[-1]
        best = max(welfare(values, weights, order)[1] for order in permutations(range(5)))
        got = welfare(values, weights, outcome.order)[1]
        swapped = [list(outcome.order) for _ in combinations(range(5), 2)]
        for order, (i, j) in zip(swapped, combinations(range(5), 2), strict=True):
            order[i], order[j] = order[j], order[i]
        assert all(welfare(values, weights, order)[1] <= got + 1e-9 for order in swapped)
        assert got > best - 0.05 * weights.sum()
        reached += got > best - 1e-9
    assert reached > 20


@pytest.mark.parametrize("case", json.loads((ORACLES / "slates.json").read_text())["cases"], ids=["first", "second"])
@pytest.mark.parametrize("most", [200_000, 1])
def test_owa_pav_finds_the_slates_of_exhaustive_enumeration(case, most, monkeypatch):
    monkeypatch.setattr(slate_search, "MOST_ENUMERATED", most)
    outcome = mediate(Profile.from_utilities(case["utilities[agent][item]"], case["items"]), "owa_pav", k=case["k"])
    expected = case["expected"]["pav_cardinal_harmonic_owa"]
    assert sorted(map(sorted, outcome.slates)) == sorted(map(sorted, expected["slates"]))
    assert outcome.trace.slates[0][1] == pytest.approx(expected["value"])
    assert outcome.complete == (most > 1)
    if most == 1:
        assert "1 - 1/e" in outcome.notes[-1]


def test_owa_pav_on_approvals_is_pav():
    # a and b together give 1 + 1/2 to two ballots, one of them and c give 1 to three: 3 each
    approvals = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1.0]])
    outcome = mediate(Profile.from_utilities(approvals, "abc"), "owa_pav", k=2)
    assert outcome.slates == (("a", "b"), ("a", "c"), ("b", "c"))
    outcome = mediate(Profile.from_utilities(approvals, "abc", [1, 1, 1.1]), "owa_pav", k=2)
    assert outcome.slates == (("a", "c"), ("b", "c"))


def test_weights_and_abstentions_count_as_they_should():
    values = [[1, 0, 0.2], [0, 1, 0.2], [0, 0, 0]]
    for rule in ("nash_ranking", "owa_pav"):
        one = mediate(Profile.from_utilities(values[:2], "abc", [2, 1]), rule, k=1)
        repeated = mediate(Profile.from_utilities([values[0], *values[:2]], "abc"), rule, k=1)
        silent = Profile(
            tuple("abc"), np.array([[0, 2, 1], [2, 0, 1], [3, 3, 3]]), np.array([2, 1, 9.0]), np.array(values)
        )
        assert one.tiers == repeated.tiers == mediate(silent, rule, k=1).tiers
        assert one.winners == ("a",)
