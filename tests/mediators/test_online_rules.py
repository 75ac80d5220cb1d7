"""Online rules against instances solved by enumeration and against their formulas."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from simulator.mediation import mediate
from simulator.profile import Profile
from tests.oracles.names import ONLINE, carried

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "online.json").read_text(encoding="utf-8"))
RULES = carried(ONLINE)
ONLINE = ["online_nash", "proportional_fair", "online_leximin"]


def over_rounds(rule, rounds, *, weights=None, k=1):
    chosen, memory = [], None
    for utilities in np.asarray(rounds, dtype=float):
        items = [f"i{j}" for j in range(utilities.shape[1])]
        voters = [f"v{i}" for i in range(len(utilities))]
        outcome = mediate(Profile.from_utilities(utilities, items, weights, voters=voters), rule, k=k, memory=memory)
        memory = json.loads(json.dumps(outcome.memory))
        assert memory == outcome.memory
        chosen.append(outcome)
    return chosen


@pytest.mark.parametrize("rule", ORACLE["rules"])
def test_rounds_solved_by_enumeration_are_decided_alike(rule):
    rounds = ORACLE["utilities[round][agent][alternative]"]
    outcomes = over_rounds(RULES[rule], rounds)
    expected = ORACLE["expected"][rule]
    assert [outcome.order[0] for outcome in outcomes] == expected["choices"]
    if rule != "util":
        assert list(outcomes[-1].memory["utility"].values()) == expected["cumulative"]


@pytest.mark.parametrize("rule", ["online_nash", "online_leximin"])
def test_every_round_is_the_best_continuation(rule):
    rng = np.random.default_rng(8)
    for _ in range(20):
        rounds = rng.integers(0, 5, (6, 3, 4))
        got = np.zeros(3)
        for utilities, outcome in zip(rounds, over_rounds(rule, rounds), strict=True):
            after = got[:, None] + utilities
            values = [
                tuple(sorted(column)) if rule == "online_leximin" else (np.sum(column > 0), np.prod(column[column > 0]))
                for column in after.T
            ]
            assert [int(item[1:]) for item in outcome.winners] == [j for j, v in enumerate(values) if v == max(values)]
            got = after[:, outcome.order[0]]


@pytest.mark.parametrize("rule", ["online_nash", "proportional_fair"])
def test_a_voter_s_own_scale_does_not_matter(rule):
    rounds = np.random.default_rng(2).random((10, 4, 5)) + 0.1
    scaled = rounds * np.array([1.0, 10.0, 0.5, 3.0])[:, None]
    plain, other = over_rounds(rule, rounds), over_rounds(rule, scaled)
    assert [outcome.order for outcome in plain] == [outcome.order for outcome in other]


@pytest.mark.parametrize("rule", ONLINE)
def test_a_weight_of_two_is_two_voters_in_all_rounds(rule):
    rounds = np.random.default_rng(6).integers(0, 4, (8, 3, 4)).astype(float)
    heavy = over_rounds(rule, rounds, weights=[2, 1, 1])
    twins = over_rounds(rule, np.concatenate([rounds, rounds[:, :1]], axis=1))
    assert [outcome.winners for outcome in heavy] == [outcome.winners for outcome in twins]


def test_those_who_have_got_something_decide_between_items_that_those_without_find_equal():
    """1e9 times a utility must not swallow the utilities that are counted beside it."""
    first = [[0, 0, 0], [5, 0, 0]]
    second = [[0.5, 0.5, 0.0], [0.0, 1.0, 0.0]]
    outcomes = over_rounds("proportional_fair", [first, second])
    assert outcomes[1].winners == ("i1",)


def test_items_of_a_slate_are_decisions_of_their_own():
    utilities = [[1.0, 0.9, 0.0, 0.0], [0.0, 0.0, 1.0, 0.9]]
    assert mediate(Profile.from_utilities(utilities, "abcd"), "online_leximin", k=2).slate in (("a", "c"), ("c", "a"))
    outcome = mediate(Profile.from_utilities(utilities, "abcd", voters=["ann", "bob"]), "online_nash", k=4)
    assert outcome.ranking == ("a", "c", "b", "d")
    assert outcome.memory["utility"] == pytest.approx({"ann": 1.9, "bob": 1.9})


def test_greedy_nash_serves_everyone_about_equally_where_the_sum_serves_two():
    rounds = [[[1, 0], [0, 1], [0, 1]]] * 30
    nash = over_rounds("online_nash", rounds)[-1].memory["utility"]
    assert nash == {"v0": 10.0, "v1": 20.0, "v2": 20.0}
    assert list(over_rounds("utilitarian", rounds)[-1].winners) == ["i1"]


def test_products_that_are_equal_are_tied_whatever_their_logarithms_add_up_to():
    for a, b, c in product((0.1, 0.3, 0.7), repeat=3):
        profile = Profile.from_utilities([[a * b, c], [c, a], [1.0, b]], "xy")
        assert mediate(profile, "online_nash").winners == ("x", "y")
    inverses = Profile.from_utilities([[3, 7, 49, 0.1], [1 / 3, 1 / 7, 1 / 49, 10]], "abcd")  # their logarithms cancel
    assert mediate(inverses, "online_nash").winners == ("a", "b", "c", "d")


@pytest.mark.parametrize("rule", ONLINE)
def test_negative_utilities_are_refused(rule):
    with pytest.raises(ValueError, match="must be at least 0"):
        mediate(Profile.from_utilities([[1.0, -1.0]], "ab"), rule)


def test_the_least_utility_that_counts_must_be_above_0():
    with pytest.raises(ValueError, match="least is 0"):
        mediate(Profile.from_rankings(["ab"]), "proportional_fair(least=0)")
