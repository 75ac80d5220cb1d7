"""Shares, envy and regret over several decisions, by the public and private decisions of tests/oracles."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.metrics.envy import is_ef1, is_envy_free, maximin_share, part_values
from simulator.metrics.leximin import leximin_vector, zeros
from simulator.metrics.minimum import minimum
from simulator.metrics.nash_welfare import nash_welfare
from simulator.metrics.package_proportionality import is_satisfied
from simulator.metrics.proportionality import (
    is_prop1,
    pessimistic_proportional_share,
    proportional_share,
    round_robin_share,
)
from simulator.metrics.regret import best_nash_welfare, cumulative_regret

ORACLES = Path(__file__).parents[1] / "oracles"
DECISIONS = json.loads((ORACLES / "public_decisions.json").read_text())["cases"]
OTHERS = {case["id"]: case for case in json.loads((ORACLES / "goods_and_packages.json").read_text())["cases"]}
GOODS = [case for case in OTHERS.values() if "valuations[agent][good]" in case]


def got_by(utilities, outcome):
    """Utilities (T, n) of the chosen alternatives."""
    return np.array([[agent[t][a] for agent in utilities] for t, a in enumerate(outcome)], dtype=float)


def best_of(utilities):
    return np.array([[max(issue) for issue in agent] for agent in utilities], dtype=float).T


def outcomes_of(utilities):
    return product(*(range(len(issue)) for issue in utilities[0]))


@pytest.mark.parametrize("case", DECISIONS, ids=lambda case: case["id"])
def test_shares_of_public_decisions(case):
    best = best_of(case["utilities[agent][issue][alternative]"])
    expected = case["expected"]
    assert proportional_share(best) == pytest.approx([float(Fraction(share)) for share in expected["prop_share"]])
    assert round_robin_share(best).tolist() == expected["round_robin_share"]
    assert pessimistic_proportional_share(best).tolist() == expected["pessimistic_prop_share"]


@pytest.mark.parametrize("case", DECISIONS, ids=lambda case: case["id"])
def test_nash_optimal_decisions_are_prop1_and_have_the_recorded_welfare(case):
    utilities, expected = case["utilities[agent][issue][alternative]"], case["expected"]
    for outcome in expected["mnw_outcomes"]:
        got = got_by(utilities, outcome)
        assert got.sum(axis=0).tolist() in expected["mnw_utility_profiles"]
        assert is_prop1(got, best_of(utilities)).all() == expected["mnw_prop1"]
        assert nash_welfare(got.sum(axis=0)) ** len(utilities) == pytest.approx(float(expected["mnw_value"]))


@pytest.mark.parametrize("case", DECISIONS, ids=lambda case: case["id"])
def test_optima_by_going_through_all_outcomes(case):
    utilities, expected = case["utilities[agent][issue][alternative]"], case["expected"]
    totals = np.array([got_by(utilities, outcome).sum(axis=0) for outcome in outcomes_of(utilities)])
    products = nash_welfare(totals) ** len(utilities)
    assert np.isclose(products, products.max()).sum() == expected["mnw_num_optima"]
    assert minimum(totals).max() == expected["egalitarian_optimum"]
    assert totals.sum(axis=1).max() == expected["utilitarian_optimum"]
    assert max(map(tuple, leximin_vector(totals).tolist())) == tuple(expected["leximin_sorted_vector"])


@pytest.mark.parametrize("case", DECISIONS, ids=lambda case: case["id"])
def test_lotteries_reach_at_least_the_best_nash_welfare_of_decisions(case):
    utilities = np.array(case["utilities[agent][issue][alternative]"], dtype=float).transpose(1, 0, 2)
    best = best_nash_welfare(utilities) ** len(case["utilities[agent][issue][alternative]"])
    assert best >= float(case["expected"]["mnw_value"]) * (1 - 1e-6)
    if case["id"] == "movies_60_40":  # x^3 (10 - x)^2 has its maximum at the whole number 6
        assert best == pytest.approx(3456, rel=1e-6)


def test_nobody_reaches_more_than_one_decision_away_from_nothing():
    got, best = np.zeros((3, 2)), np.ones((3, 2))
    assert is_prop1(got, best).tolist() == [False, False]  # 1 of the 1.5 that are its share
    assert is_prop1(got[:2], best[:2]).tolist() == [True, True]
    # what it has got already is not to be had again: 3 + 1 of the 6 that are the share of a single one
    assert is_prop1([[3], [0], [0], [0]], [[3], [1], [1], [1]]).tolist() == [False]


def test_regret_is_what_was_given_up():
    assert cumulative_regret([[0.2, 1], [0.5, 0]], [[1, 1], [0.5, 1]]).tolist() == [0.8, 1]


@pytest.mark.parametrize("case", GOODS, ids=lambda case: case["id"])
def test_goods_under_maximum_nash_welfare(case):
    valuations, expected = np.array(case["valuations[agent][good]"]), case["expected"]
    n, goods = valuations.shape
    allocations = np.array(list(product(range(n), repeat=goods)))
    own = np.diagonal(part_values(valuations, allocations), axis1=1, axis2=2)
    # maximum Nash welfare: first as many as possible with something, then the product over them
    order = [(int(n - zeros(row)), float(np.prod(row[row > 0]))) for row in own]
    best = [place for place, value in enumerate(order) if value == max(order)]
    assert allocations[best].tolist() == expected["mnw_allocations"]
    assert sorted(own[best].tolist()) == expected["mnw_utilities"]
    assert max(order)[1] == expected["mnw_value"]
    assert is_ef1(valuations, allocations[best]).all() == expected["all_mnw_ef1"]
    assert is_envy_free(valuations, allocations[best]).all() == expected["mnw_envy_free"]
    assert [maximin_share(row, n) for row in valuations] == expected["mms"]


def test_two_goods_of_anothers_are_more_than_one_to_leave_out():
    assert not is_ef1([[1, 1], [1, 1]], [0, 0])
    assert is_ef1([[1, 1], [1, 1]], [0, 1])


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=30)
def test_maximin_share_agrees_with_going_through_all_partitions(seed):
    rng = np.random.default_rng(seed)
    n, values = int(rng.integers(1, 4)), rng.integers(0, 9, rng.integers(0, 6))
    parts = [
        min(sum(v for v, p in zip(values, split, strict=True) if p == part) for part in range(n))
        for split in product(range(n), repeat=len(values))
    ]
    assert maximin_share(values, n) == max(parts)


def test_packages_that_satisfy_every_member():
    case = OTHERS["fape_readme"]
    ratings = np.array(case["ratings[member][item]"], dtype=float)
    packages = [list(pair) for pair in product(range(4), repeat=case["package_size"]) if pair[0] < pair[1]]
    fair = [package for package in packages if is_satisfied(ratings, package, share=0.5).sum() >= 3]
    assert fair == case["expected"]["fair_packages"]
    best = max(fair, key=lambda package: ratings[:, package].mean())
    assert best == case["expected"]["max_mean_rating_package"]


def test_m_proportionality_wants_several_items():
    ratings = [[4, 3, 2, 1], [1, 2, 3, 4]]
    assert is_satisfied(ratings, [0, 1], share=0.5, items=2).tolist() == [True, False]
