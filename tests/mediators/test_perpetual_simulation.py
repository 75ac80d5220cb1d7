"""Our simulation of the set-up of the AAAI 2020 paper lands on the means of the author's program."""

import json
from pathlib import Path

import pytest

from simulator.perpetual_experiment import experiment
from tests.oracles.names import PERPETUAL, carried

RECORDED = json.loads((Path(__file__).parents[1] / "oracles" / "perpetual_simulation.json").read_text("utf-8"))
HISTORIES, VOTERS, ITEMS, ROUNDS, SIGMA, _, _, RADIUS = RECORDED["spec"]
RULES = {name: mediator for name, mediator in carried(PERPETUAL).items() if name in RECORDED["rules"]}
FIGURES = {
    "perpetual_lower_quota_compliance": "quota_compliance",
    "gini_influence": "influence_gini",
    "norm_satisfaction_vs_av": "satisfaction",
    "max_dry_spell": "longest_dry_spell",
}


@pytest.fixture(scope="module")
def simulated():
    setting = {"voters": VOTERS, "items": ITEMS, "rounds": ROUNDS, "sigma": SIGMA, "radius": RADIUS}
    return experiment(list(RULES.values()), HISTORIES, seed=1, **setting)


def assert_same_mean(values, recorded):
    """Both are means over `HISTORIES` draws: they differ by at most four standard errors of the difference."""
    bound = 4 * 2**0.5 * recorded["std"] / HISTORIES**0.5 + 1e-4
    assert values.mean() == pytest.approx(recorded["mean"], abs=bound)


@pytest.mark.slow
@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("rule", RULES)
def test_simulation_lands_on_the_recorded_mean(simulated, rule, figure):
    assert_same_mean(simulated[RULES[rule]][FIGURES[figure]], RECORDED["rules"][rule][figure])


def test_the_same_seed_gives_the_same_figures_and_another_one_others():
    one, same, other = (experiment(["perpetual_pav"], 30, seed=seed)["perpetual_pav"] for seed in (5, 5, 6))
    assert all((one[name] == same[name]).all() for name in one)
    assert (one["influence_gini"] != other["influence_gini"]).any()


def test_a_rule_that_remembers_nothing_is_refused():
    with pytest.raises(ValueError, match="borda is no perpetual rule"):
        experiment(["borda"], 10)
