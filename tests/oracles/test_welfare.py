"""Rules on utilities against small instances that were solved by going through all slates and all outcomes."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from simulator.mediation import mediate
from simulator.profile import Profile
from tests.oracles.names import SLATES, carried

ORACLES = Path(__file__).parent
RULES = carried(SLATES)
VALUES = {
    "chamberlin_courant_cardinal": lambda got, best: best[:, 0].sum(),
    "egalitarian": lambda got, best: got.sum(axis=1).min(),
    "egalitarian_cc": lambda got, best: best[:, 0].min(),
    "leximin": lambda got, best: sorted(got.sum(axis=1)),
    "nash": lambda got, best: got.sum(axis=1).prod(),
    "pav_cardinal_harmonic_owa": lambda got, best: (best / np.arange(1, best.shape[1] + 1)).sum(),
    "utilitarian": lambda got, best: got.sum(),
}


def cases(file):
    return json.loads((ORACLES / file).read_text(encoding="utf-8"))["cases"]


def as_sets(slates):
    return sorted(sorted(slate) for slate in slates)


def is_undominated(given, utilities):
    """Whether no outcome gives anyone more, and nobody less, than any of the given ones `(g, n)` out of `(n, c)`."""
    gains = utilities[None] - given[:, :, None]
    return not ((gains >= 0).all(axis=1) & (gains > 0).any(axis=1)).any()


def decided(case, mediator):
    utilities = np.array(case["utilities[agent][item]"], dtype=float)
    outcome = mediate(Profile.from_utilities(utilities, case["items"]), mediator, k=case["k"])
    assert outcome.complete
    return outcome, utilities[:, list(outcome.slate_indices)]


@pytest.mark.parametrize(
    ("rule", "case"),
    [
        pytest.param(rule, case, id=f"{rule}-{name}")
        for case, name in zip(cases("slates.json"), ["first", "discriminating"], strict=True)
        for rule in RULES
        if rule in case["expected"]
    ],
)
def test_all_the_best_slates_are_found(rule, case):
    expected = case["expected"][rule]
    outcome, got = decided(case, RULES[rule])
    assert as_sets(outcome.slates) == as_sets(expected["slates"])
    assert VALUES[rule](got, -np.sort(-got, axis=1)) == pytest.approx(expected["value"])


@pytest.mark.parametrize("case", cases("slates.json"), ids=["first", "discriminating"])
def test_leximin_slates_are_egalitarian(case):
    expected = case["expected"]["egalitarian"]
    outcome, got = decided(case, "leximin_slate")
    assert all(slate in as_sets(expected["slates"]) for slate in as_sets(outcome.slates))
    assert got.sum(axis=1).min() == expected["value"]


@pytest.mark.parametrize("case", cases("public_decisions.json"), ids=lambda case: case["id"])
def test_public_decisions_are_items_whose_utilities_add_up_over_issues(case):
    agents = case["utilities[agent][issue][alternative]"]
    choices = list(product(*(range(len(alternatives)) for alternatives in agents[0])))
    utilities = [[sum(issues[i][c] for i, c in enumerate(choice)) for choice in choices] for issues in agents]
    profile = Profile.from_utilities(utilities, [str(list(choice)) for choice in choices])
    expected = case["expected"]

    def gives(outcome):
        return [row[outcome.order[0]] for row in utilities]

    nash = mediate(profile, "nash")
    place = {item: number for number, item in enumerate(profile.items)}
    given = {tuple(row[place[winner]] for row in utilities) for winner in nash.winners}
    assert len(nash.winners) == expected["mnw_num_optima"]
    assert {str(outcome) for outcome in expected["mnw_outcomes"]} <= set(nash.winners)
    assert sorted(map(list, given)) == sorted(expected["mnw_utility_profiles"])
    assert np.prod(gives(nash)) == pytest.approx(float(expected["mnw_value"]))
    assert is_undominated(np.array(list(given)), np.array(utilities)) == expected["mnw_pareto_optimal"]
    assert sum(gives(mediate(profile, "utilitarian"))) == expected["utilitarian_optimum"]
    assert min(gives(mediate(profile, "egalitarian"))) == expected["egalitarian_optimum"]
    assert sorted(gives(mediate(profile, "leximin"))) == expected["leximin_sorted_vector"]
