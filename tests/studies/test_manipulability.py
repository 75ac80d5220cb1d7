"""What lying pays, and to whom it costs what."""

from __future__ import annotations

import json

import pytest

import simulator as fa
from simulator.studies.manipulability import manipulability
from tests.scenario_files import command

LETTERS = "tests/worlds/letters"


def test_lying_pays_under_borda_and_somebody_pays_for_it_but_not_under_random_dictatorship() -> None:
    scenario = fa.load_scenario("tourism", model="none")
    (borda, lot), left_out = manipulability(scenario, ["borda", "random_dictatorship"], 4, effort=150)
    assert left_out == []
    assert borda.pays.max() > 0
    assert (borda.effects.diagonal() >= 0).all()
    assert borda.effects.min() < 0
    assert lot.pays.tolist() == [0.0] * 4
    assert lot.row()["gains most"] == "-"


def test_one_strategist_alone_can_be_looked_at() -> None:
    scenario = fa.load_scenario(LETTERS, model="none")
    (found,), _ = manipulability(scenario, ["borda"], 5, strategist="gourmet")
    assert found.strategists == (1,)
    assert found.effects.shape == (1, 2)


def test_the_command_prints_a_table_and_json(capsys) -> None:
    code, printed, _ = command(capsys, "manipulability", LETTERS, "--rounds", 3, "--mediator", "borda,plurality")
    assert code == 0
    assert [line.split()[0] for line in printed.splitlines()] == ["mediator", "borda", "plurality"]
    _, printed, _ = command(capsys, "manipulability", LETTERS, "--rounds", 3, "--mediator", "borda", "--json")
    assert set(json.loads(printed)["strategists"]) == {"saver", "gourmet"}


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [("--strategist", "savr", "did you mean 'saver'"), ("--method", "bury", "did you mean 'burying'")],
)
def test_wrong_names_are_refused_with_the_nearest(capsys, option: str, value: str, message: str) -> None:
    code, _, said = command(capsys, "manipulability", LETTERS, option, value)
    assert code == 2
    assert message in said
