"""Studies play the rounds that a run without a model plays."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np
import pytest

from simulator import load_scenario, run
from simulator.mediators.base import Mediator
from simulator.registry import RegistryError, create
from simulator.studies.rational import every_rule, rational_rounds, under_each

WORLDS = ("tourism", "healthcare", "education/open_university")


@pytest.mark.parametrize("rule", ["borda", "perpetual_pav"])  # without memory, and with it
@pytest.mark.parametrize("name", WORLDS)
def test_its_rounds_are_those_of_a_run_without_a_model(name: str, rule: str):
    scenario = load_scenario(name, model="none", protocol="sealed", mediator=rule, metrics=["utility"])
    result = run(scenario, rounds=12)
    ids = scenario.catalogue.ids
    played = list(rational_rounds(scenario, create("mediator", rule), 12))
    slates = ["|".join(ids[row] for row in each.rows[each.slate]) for each in played]
    assert slates == result.rounds["slate"].tolist()
    served = np.array([each.served for each in played])
    assert result.stakeholders["utility"].to_numpy().reshape(served.shape) == pytest.approx(served, abs=1e-12)


@pytest.mark.parametrize("tie", ["item_order", "seeded", "earlier_service"])
def test_ties_are_ordered_as_in_a_run(tie: str):
    scenario = load_scenario("healthcare", model="none", protocol="sealed", mediator="egalitarian", tie=tie)
    result = run(scenario, rounds=6)
    played = rational_rounds(scenario, scenario.mediator, 6)
    slates = ["|".join(scenario.catalogue.ids[row] for row in each.rows[each.slate]) for each in played]
    assert slates == result.rounds["slate"].tolist()


@dataclass(frozen=True)
class Breaks(Mediator):
    """Fails in its first round."""

    name = "breaks"
    rule = "none"

    def mediate(self, profile, memory=None, *, k=1, priority=None, seed=0):
        raise ArithmeticError("no solution")


def test_a_rule_that_fails_is_left_out_with_a_line_and_takes_no_other_along():
    scenario = load_scenario("tourism", model="none")
    rules = ("borda", f"{__name__}:Breaks", "copeland")
    labels, left_out = under_each(scenario, rules, 2, lambda label, rounds: (label, len(list(rounds))))
    assert labels == [("borda", 2), ("copeland", 2)]
    assert left_out == ["breaks is left out: ArithmeticError: no solution"]


def test_a_rule_that_does_not_exist_is_wrong_input():
    with pytest.raises(RegistryError, match="there is no mediator 'bordas'; did you mean 'borda'"):
        under_each(load_scenario("tourism", model="none"), ["bordas"], 1, lambda label, rounds: label)


def test_every_rule_is_every_mediator_that_needs_no_parameter():
    assert {"borda", "copeland", "nash", "seq_phragmen"} <= set(every_rule())
    assert list(every_rule()) == sorted(every_rule())
    for rule in every_rule():
        create("mediator", rule)


def test_rounds_are_played_one_by_one_as_they_are_asked_for():
    scenario = load_scenario("tourism", model="none")
    assert len(list(islice(rational_rounds(scenario, scenario.mediator, 10**9), 2))) == 2
