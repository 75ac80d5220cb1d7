"""The mediators against outcomes that others published or computed with other software."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from simulator.mediation import mediate
from simulator.outcome import Outcome
from simulator.profile import Profile

ORACLES = Path(__file__).parents[1] / "oracles"
SEQUENTIAL = {"seqpav": "seq_pav", "seqphragmen": "seq_phragmen"}


def cases(file):
    return json.loads((ORACLES / file).read_text())["cases"]


def expectations(file):
    return [
        pytest.param(case, expected, id=f"{case['id']}-{expected['rule']}")
        for case in cases(file)
        for expected in case["expected"]
    ]


def as_sets(slates):
    return sorted(sorted(slate) for slate in slates)


@pytest.mark.parametrize(("case", "expected"), expectations("ordinal.json"))
def test_ranking_rules_reproduce_published_elections(case, expected):
    ballots = case["profile"]["ballots"]
    profile = Profile.from_rankings(
        [ballot["ranking"] for ballot in ballots],
        [ballot["weight"] for ballot in ballots],
        items=case["profile"]["candidates"],
    )
    outcome = mediate(profile, expected["rule"])
    assert sorted(outcome.winners) == sorted(expected["winners"])
    for item, score in expected.get("scores", {}).items():
        assert outcome.scores[item] == pytest.approx(float(Fraction(score)), abs=1e-9)
    if "ranking" in expected:
        assert list(outcome.ranking) == expected["ranking"]
    if "ranking_top5" in expected:
        assert list(outcome.ranking[:5]) == expected["ranking_top5"]


@pytest.mark.parametrize(("case", "expected"), expectations("approval.json"))
def test_sequential_rules_reproduce_published_committees(case, expected):
    ballots = case["profile"]["ballots"]
    profile = Profile.from_approvals(
        [ballot["approves"] for ballot in ballots],
        [ballot["weight"] for ballot in ballots],
        items=case["profile"]["candidates"],
    )
    outcome = mediate(profile, SEQUENTIAL[expected["rule"]], k=expected["k"])
    assert outcome.complete
    if "one_of" in expected:
        assert sorted(outcome.slate) in as_sets(expected["one_of"])
    else:
        assert as_sets(outcome.slates) == as_sets(expected["all_winning_committees"])


@pytest.mark.parametrize("rule", SEQUENTIAL)
@pytest.mark.parametrize("case", cases("approval_bulk.json"), ids=lambda case: case["file"])
def test_sequential_rules_find_all_the_committees_that_abcvoting_finds(case, rule):
    items = [str(item) for item in range(case["num_candidates"])]
    profile = Profile.from_approvals([[str(item) for item in ballot] for ballot in case["ballots"]], items=items)
    outcome = mediate(profile, SEQUENTIAL[rule], k=case["k"])
    assert outcome.complete
    expected = [[str(item) for item in slate] for slate in case["all_winning_committees"][rule]]
    assert as_sets(outcome.slates) == as_sets(expected)


@pytest.mark.parametrize("case", cases("slates.json"), ids=["first", "discriminating"])
@pytest.mark.parametrize("rule", ["nash_slate", "leximin_slate", "utilitarian"])
def test_slate_rules_find_all_the_best_slates_of_small_instances(case, rule):
    utilities = np.array(case["utilities[agent][item]"], dtype=float)
    outcome = mediate(Profile.from_utilities(utilities, case["items"]), rule, k=case["k"])
    expected = case["expected"][rule.removesuffix("_slate")]
    assert outcome.complete
    assert as_sets(outcome.slates) == as_sets(expected["slates"])
    indices = [case["items"].index(item) for item in outcome.slate]
    welfare = utilities[:, indices].sum(axis=1)
    values = {"nash_slate": welfare.prod(), "leximin_slate": sorted(welfare), "utilitarian": welfare.sum()}
    assert values[rule] == pytest.approx(expected["value"])


@pytest.mark.parametrize("case", cases("public_decisions.json"), ids=lambda case: case["id"])
def test_welfare_rules_find_the_optima_of_public_decisions(case):
    """Every combination of decisions is one item; its utilities are the sums over the issues."""
    agents = case["utilities[agent][issue][alternative]"]
    choices = list(product(*(range(len(alternatives)) for alternatives in agents[0])))
    utilities = [[sum(issues[i][c] for i, c in enumerate(choice)) for choice in choices] for issues in agents]
    profile = Profile.from_utilities(utilities, [str(list(choice)) for choice in choices])
    expected = case["expected"]

    def gives(outcome: Outcome) -> list[float]:
        return [row[outcome.order[0]] for row in utilities]

    nash = mediate(profile, "nash")
    assert len(nash.winners) == expected["mnw_num_optima"]
    assert {str(outcome) for outcome in expected["mnw_outcomes"]} <= set(nash.winners)
    assert np.prod(gives(nash)) == pytest.approx(float(expected["mnw_value"]))
    assert sum(gives(mediate(profile, "utilitarian"))) == expected["utilitarian_optimum"]
    assert min(gives(mediate(profile, "egalitarian"))) == expected["egalitarian_optimum"]
    assert sorted(gives(mediate(profile, "leximin"))) == expected["leximin_sorted_vector"]
