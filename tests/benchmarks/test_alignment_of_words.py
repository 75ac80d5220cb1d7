"""How well the embedded model recovers objectives from words: on the shipped scenario, and on objectives nobody chose.

pytest tests/benchmarks/test_alignment_of_words.py -s
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import simulator as fa
from simulator.alignment.canonical import canonical_sentence
from simulator.scenario import Scenario
from simulator.seeds import generator

pytestmark = [pytest.mark.slow, pytest.mark.embedded]

OBJECTIVES = 20
AT_ONCE = 4
ROUNDS = 3
PERSONA = "You are choosing a city for a trip."


def figures(stakeholders: pd.DataFrame) -> tuple[float, float, float]:
    """Mean alignment, the same at equal weights, and the share of the gap between that and 1 that is closed."""
    known = stakeholders.dropna(subset=["alignment", "alignment_equal_weights"])
    reached, baseline = known["alignment"].mean(), known["alignment_equal_weights"].mean()
    return reached, baseline, (reached - baseline) / (1 - baseline)


def report(title: str, stakeholders: pd.DataFrame) -> tuple[float, float, float]:
    reached, baseline, closed = figures(stakeholders)
    print(f"\n{title}: alignment {reached:.2f}, equal weights {baseline:.2f}, gap closed {closed:.0%}")
    return reached, baseline, closed


def drawn_objectives(scenario: Scenario) -> list[dict[str, float]]:
    """Objectives of four attributes: which, signs and Dirichlet(1, 1, 1, 1) weights all drawn from the seed."""
    names = [attribute.name for attribute in scenario.attributes]
    draws = generator(20, "random objectives")
    return [
        dict(
            zip(
                draws.choice(names, 4, replace=False).tolist(),
                (draws.dirichlet(np.ones(4)) * draws.choice([-1, 1], 4)).round(4).tolist(),
                strict=True,
            )
        )
        for _ in range(OBJECTIVES)
    ]


def stakeholder(scenario: Scenario, place: int, objective: dict[str, float]) -> dict[str, object]:
    attributes = {attribute.name: attribute for attribute in scenario.attributes}
    by_importance = sorted(objective, key=lambda name: -abs(objective[name]))
    return {
        "name": f"drawn_{place}",
        "persona": PERSONA,
        "goal": canonical_sentence([attributes[name].phrase(objective[name]) for name in by_importance]),
        "objective": objective,
    }


def test_the_shipped_stakeholders_are_understood():
    result = fa.run(fa.load_scenario("tourism"), model="embedded")
    reached, _, closed = report("shipped scenario", result.stakeholders)
    assert reached >= 0.75
    assert closed >= 0.40


def test_random_objectives_are_reported_whatever_they_give():
    scenario = fa.load_scenario("tourism")
    objectives = drawn_objectives(scenario)
    frames = []
    for start in range(0, OBJECTIVES, AT_ONCE):
        group = [stakeholder(scenario, start + i, o) for i, o in enumerate(objectives[start : start + AT_ONCE])]
        asked = fa.load_scenario("tourism", stakeholders=group, protocol="sealed", rounds=ROUNDS)
        frames.append(fa.run(asked, model="embedded(max_tokens=4)").stakeholders)  # arguments do not matter here
    reached, baseline, _ = report(f"{OBJECTIVES} random objectives, {ROUNDS} rounds each", pd.concat(frames))
    assert reached > baseline  # words tell the model more than the list of attributes does
