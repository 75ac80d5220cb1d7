"""What fills up under a mediator: on a world that can be counted by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from simulator import load_scenario
from simulator.inputs.yamlfile import InputError
from simulator.studies.loads import load_array, loads
from simulator.studies.rational import every_rule
from tests.scenario_files import command

WORLD = """\
title: Two clinics
k: 1
catalogue:
  file: clinics.csv
  id: clinic
  attributes: {quality: {}}
stakeholders:
  - {name: patient, agent: utility, objective: {quality: 1}}
mediator: borda
dynamics: ["capacity(size=beds, per_delivery=2, decay=0.5)", "shortfall(group=clinic)"]
model: none
"""


@pytest.fixture
def world(tmp_path: Path) -> Path:
    (tmp_path / "scenario.yaml").write_text(WORLD, encoding="utf-8")
    (tmp_path / "clinics.csv").write_text("clinic,quality,beds\nbad,1,4\ngood,2,8\n", encoding="utf-8")
    return tmp_path


def test_loads_are_those_of_the_dynamics(world: Path):
    (load,), left_out = loads(load_scenario(world), ["borda"], "load", 3)
    # the good clinic is delivered three times: 2/8, then half of it and 2/8 more, and again
    assert (load.mediator, load.item) == ("borda", "good")
    assert load.peak == pytest.approx(0.4375)
    assert load.mean_peak == pytest.approx((0.25 + 0.375 + 0.4375) / 3)
    assert load.gini == pytest.approx(0.5)  # one of two has everything
    assert load.used == 0.5
    assert left_out == []


def test_the_first_array_is_meant_unless_another_is_named(world: Path):
    scenario = load_scenario(world)
    assert load_array(scenario, None) == "load"
    assert load_array(scenario, "shortfall") == "shortfall"
    with pytest.raises(InputError, match="no dynamic of this scenario maintains a load"):
        load_array(load_scenario(world, dynamics=[]), None)


def test_where_a_quantity_can_be_negative_its_gini_is_undefined(world: Path, capsys: pytest.CaptureFixture[str]):
    _, out, _ = command(capsys, "loads", world, "--array", "shortfall", "--mediator", "borda")
    assert out.splitlines()[1].split()[3:] == ["-", "50%", "bad"]
    code, out, _ = command(capsys, "loads", world, "--array", "shortfall", "--mediator", "borda", "--json")
    assert code == 0
    assert json.loads(out)["gini"] is None


def test_the_command_prints_a_row_a_mediator(world: Path, capsys: pytest.CaptureFixture[str]):
    code, out, err = command(capsys, "loads", world, "--rounds", "3", "--mediator", "borda,nash")
    assert (code, err) == (0, "")
    lines = [line.split() for line in out.splitlines()]
    assert lines[1] == ["borda", "0.438", "0.354", "0.50", "50%", "good"]
    assert [line[0] for line in lines[1:]] == ["borda", "nash"]


@pytest.mark.slow
def test_without_a_choice_every_registered_mediator_is_asked(capsys: pytest.CaptureFixture[str], world: Path):
    code, out, err = command(capsys, "loads", world)
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()[1:]] == list(every_rule())
