"""Rules on rankings against elections that others published or computed with other software."""

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

from simulator.mediation import mediate
from simulator.profile import Profile
from tests.oracles.names import ORDINAL, carried

ORACLES = Path(__file__).parent
RULES = carried(ORDINAL)
LARGER_IS_WORSE = {"minimax"}  # the source scores the largest defeat, the mediator minus the largest defeat


def cases(file):
    return json.loads((ORACLES / file).read_text(encoding="utf-8"))["cases"]


def expectations(file):
    return [
        pytest.param(case, expected, id=f"{case['id']}-{expected['rule']}")
        for case in cases(file)
        for expected in case["expected"]
        if expected["rule"] in RULES
    ]


def profile_of(case):
    ballots = case["profile"]["ballots"]
    return Profile.from_rankings(
        [ballot["ranking"] for ballot in ballots],
        [ballot["weight"] for ballot in ballots],
        items=case["profile"]["candidates"],
    )


def table(matrix, items):
    return {f"{a}>{b}": matrix[i, j] for i, a in enumerate(items) for j, b in enumerate(items) if i != j}


def seats_of(expected):
    params = expected.get("params", {})
    return params.get("k", params.get("seats", 1))


READ = {"winners", "scores", "ranking", "ranking_top5", "support", "strength", "distance", "agreement"} | {
    *("committee", "order"),
    *("rule", "params", "basis", "verified_by", "convention", "trace", "property"),
}


@pytest.mark.parametrize(("case", "expected"), expectations("ordinal.json"))
def test_published_elections(case, expected):
    assert expected.keys() <= READ  # nothing that a source says goes unread
    k = seats_of(expected)
    outcome = mediate(profile_of(case), RULES[expected["rule"]], k=k)
    assert outcome.complete
    if k > 1:
        committee = expected.get("committee", expected.get("winners"))
        assert [sorted(slate) for slate in outcome.slates] == [sorted(committee)]
    elif "winners" in expected:
        assert sorted(outcome.winners) == sorted(expected["winners"])
    sign = -1 if expected["rule"] in LARGER_IS_WORSE else 1
    for item, score in expected.get("scores", {}).items():
        assert outcome.scores[item] == pytest.approx(sign * float(Fraction(score)), abs=1e-9)
    if "ranking" in expected:
        assert list(outcome.ranking) == expected["ranking"]
        assert all(len(tier) == 1 for tier in outcome.tiers)
    if "ranking_top5" in expected:
        assert list(outcome.tiers[:5]) == [(item,) for item in expected["ranking_top5"]]
    if "order" in expected:
        assert list(outcome.slate) == expected["order"]
    for pair, weight in expected.get("support", {}).items():
        assert table(outcome.trace.pairwise, outcome.items)[pair] == weight
    for pair, strength in expected.get("strength", {}).items():
        assert table(outcome.trace.paths, outcome.items)[pair] == strength
    if "distance" in expected:
        assert outcome.trace.cost == expected["distance"]
        pairs = combinations(outcome.order, 2)
        assert sum(outcome.trace.pairwise[a, b] for a, b in pairs) == expected["agreement"]


def test_the_count_of_a_published_transfer_is_reproduced_step_by_step():
    """Quota 6; Chocolate elected with 12, Pear eliminated, Orange elected with 6, Sweets eliminated."""
    (case,) = [case for case in cases("ordinal.json") if case["id"] == "stv_food20"]
    steps = mediate(profile_of(case), "stv", k=3).trace.steps
    assert [(step.act, step.item, step.value) for step in steps[:4]] == [
        ("elected", "Chocolate", 12),
        ("eliminated", "Pear", 2),
        ("elected", "Orange", 6),
        ("eliminated", "Sweets", 3),
    ]


@pytest.mark.parametrize(("case", "expected"), expectations("squared_kemeny.json"))
def test_all_orders_of_the_least_squared_distance(case, expected):
    profile, orders = profile_of(case), expected["optimal_rankings"]
    for k in range(1, profile.m + 1):
        outcome = mediate(profile, RULES[expected["rule"]], k=k)
        assert outcome.complete
        assert outcome.trace.cost == expected["cost"]
        assert list(outcome.ranking) in orders
        assert sorted(outcome.winners) == sorted({order[0] for order in orders})
        assert sorted(map(sorted, outcome.slates)) == sorted(map(list, {tuple(sorted(o[:k])) for o in orders}))
