"""The approval rules against committees that others published or computed with abcvoting, all tied ones included."""

import json
from pathlib import Path

import pytest

from simulator.mediation import mediate
from simulator.profile import Profile
from tests.oracles.names import APPROVAL, carried

ORACLES = Path(__file__).parents[1] / "oracles"
RULES = carried(APPROVAL)


def read(file):
    return json.loads((ORACLES / file).read_text(encoding="utf-8"))["cases"]


def as_sets(slates):
    return sorted(sorted(slate) for slate in slates)


def published():
    for case in read("approval.json"):
        for expected in case["expected"]:
            if expected["rule"] in RULES:
                yield pytest.param(case, expected, id=f"{case['id']}-{expected['rule']}")


@pytest.mark.parametrize(("case", "expected"), list(published()))
def test_rules_reproduce_published_committees(case, expected):
    ballots = case["profile"]["ballots"]
    profile = Profile.from_approvals(
        [ballot["approves"] for ballot in ballots],
        [ballot["weight"] for ballot in ballots],
        items=case["profile"]["candidates"],
    )
    outcome = mediate(profile, RULES[expected["rule"]], k=expected["k"])
    assert outcome.complete
    if "one_of" in expected:
        assert sorted(outcome.slate) in as_sets(expected["one_of"])
    else:
        assert as_sets(outcome.slates) == as_sets(expected["all_winning_committees"])


@pytest.mark.parametrize("case", read("approval_bulk.json"), ids=lambda case: case["file"])
def test_rules_find_all_the_committees_that_abcvoting_finds(case):
    items = [str(item) for item in range(case["num_candidates"])]
    profile = Profile.from_approvals([[str(item) for item in ballot] for ballot in case["ballots"]], items=items)
    for rule, committees in case["all_winning_committees"].items():
        if rule not in RULES:
            continue
        outcome = mediate(profile, RULES[rule], k=case["k"])
        assert outcome.complete, rule
        assert as_sets(outcome.slates) == as_sets([[str(item) for item in slate] for slate in committees]), rule
