"""The axioms of justified representation: published instances, all groups by enumeration, what follows from what."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.metrics.attainable import is_pareto_efficient
from simulator.metrics.justified_representation import (
    ejr_plus_violations,
    satisfies_ejr,
    satisfies_ejr_plus,
    satisfies_jr,
    satisfies_pjr,
)
from tests.oracles.names import PROPERTIES, carried

CASES = json.loads((Path(__file__).parents[1] / "oracles" / "approval_properties.json").read_text())["cases"]
CHECK = {
    "jr": satisfies_jr,
    "pjr": satisfies_pjr,
    "ejr": satisfies_ejr,
    "ejr+": satisfies_ejr_plus,
    "pareto": lambda approvals, slate: is_pareto_efficient(approvals, slate),
}
NOT_HERE = PROPERTIES.keys() - carried(PROPERTIES).keys()


def approvals_of(case):
    matrix = np.zeros((len(case["ballots"]), case["num_candidates"]), dtype=bool)
    for row, ballot in zip(matrix, case["ballots"], strict=True):
        row[ballot] = True
    return matrix


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=f"{case['property']}-{place}") for place, case in enumerate(CASES)
     if case["property"] not in NOT_HERE],
)  # fmt: skip
def test_published_instance(case):
    assert CHECK[case["property"]](approvals_of(case), case["committee"]) is case["expected"]


def test_every_other_property_is_left_out_by_name():
    assert {case["property"] for case in CASES} == CHECK.keys() | NOT_HERE


def groups_that_deserve(approvals, k):
    """(group, l) for every group of voters and every l that it deserves by its size and by what it has in common."""
    n = len(approvals)
    for size in range(1, n + 1):
        for group in combinations(range(n), size):
            common = int(approvals[list(group)].all(axis=0).sum())
            for demand in range(1, min(common, size * k // n) + 1):
                yield list(group), demand


def by_enumeration(approvals, slate):
    held = approvals[:, slate]
    deprived = [
        (demand, held[group].any(axis=0).sum() < demand, held[group].sum(axis=1).max() < demand)
        for group, demand in groups_that_deserve(approvals, len(slate))
    ]
    return {
        "jr": not any(demand == 1 and nobody for demand, _, nobody in deprived),
        "pjr": not any(jointly for _, jointly, _ in deprived),
        "ejr": not any(nobody for _, _, nobody in deprived),
    }


@st.composite
def elections(draw):
    n, m = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    k = draw(st.integers(1, m))
    return rng.random((n, m)) < draw(st.sampled_from([0.3, 0.6, 0.8])), rng.choice(m, k, replace=False)


@given(elections())
@settings(max_examples=80, deadline=None)
def test_integer_programs_agree_with_going_through_all_groups(election):
    expected = by_enumeration(*election)
    assert {name: CHECK[name](*election) for name in expected} == expected


def test_integer_programs_decide_where_the_polynomial_axioms_do_not():
    rng = np.random.default_rng(0)
    verdicts = []
    while len(verdicts) < 40:
        approvals, slate = rng.random((6, 6)) < 0.6, rng.choice(6, 3, replace=False)
        if satisfies_jr(approvals, slate) and not satisfies_ejr_plus(approvals, slate):
            found = (satisfies_pjr(approvals, slate), satisfies_ejr(approvals, slate))
            expected = by_enumeration(approvals, slate)
            assert found == (expected["pjr"], expected["ejr"])
            verdicts.append(found)
    assert set(verdicts) == {(True, True), (True, False), (False, False)}


@given(elections())
@settings(max_examples=80, deadline=None)
def test_each_axiom_implies_the_weaker_ones(election):
    held = [CHECK[name](*election) for name in ("ejr+", "ejr", "pjr", "jr")]
    assert held == sorted(held)


@given(elections(), st.data())
@settings(max_examples=30, deadline=None)
def test_a_weight_is_that_many_ballots(election, data):
    approvals, slate = election
    copies = data.draw(st.lists(st.integers(0, 3), min_size=len(approvals), max_size=len(approvals)).filter(any))
    many = np.repeat(approvals, copies, axis=0)
    for check in (satisfies_jr, satisfies_pjr, satisfies_ejr, ejr_plus_violations):
        assert check(approvals, slate, copies) == check(many, slate)


def test_violations_are_counted_by_item_and_demand():
    # six voters, three seats: four of them deserve two items of a, b, c, and get one; c, d and e, f get their turn
    approvals = np.zeros((6, 6), dtype=bool)
    approvals[:4, :3] = True
    approvals[4:, 3:] = True
    assert ejr_plus_violations(approvals, [0, 3, 4]) == 2  # b and c at l = 2
    assert ejr_plus_violations(approvals, [0, 1, 3]) == 0
    assert ejr_plus_violations(approvals, [3, 4, 5]) == 6  # a, b and c at l = 1 and l = 2
