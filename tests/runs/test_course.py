"""The course of the world that is reckoned again from a run folder is the one that the world took."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from simulator import NegotiationWorld, load_scenario, run
from simulator.runs.read import read_run
from tests.report.run_folder import run_folder

SCENARIOS = ("tourism", "healthcare/north_carolina")


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_arrays_are_those_of_the_world(name: str, tmp_path: Path) -> None:
    scenario = load_scenario(name, model="none", rounds=3)
    world = NegotiationWorld(scenario)
    for _ in range(3):
        world.step()
    result = run(scenario, out=tmp_path, plots=False)
    assert result.path is not None
    course = read_run(result.path).course
    assert course is not None
    assert course.items == scenario.catalogue.ids
    assert course.moments.tolist() == [0, 1, 2, 3]
    assert list(course.arrays) == list(world.state.items)
    for array, values in world.state.items.items():
        np.testing.assert_array_equal(course.arrays[array][-1], values)
    assert np.flatnonzero(course.drawable).tolist() == scenario.drawable.tolist()
    assert course.delivered.sum() == 9
    world.close()


def test_units_come_from_the_attribute_that_is_the_array_else_from_the_dynamic(tmp_path: Path) -> None:
    scenario = load_scenario("healthcare/north_carolina", model="none", rounds=1)
    path = run(scenario, out=tmp_path, plots=False).path
    assert path is not None
    course = read_run(path).course
    assert course is not None
    assert course.units["shortfall"] == "referrals that its group (metropolitan or not) lacks"
    assert course.units["load"] == "share of its places"


def test_inequality_is_that_of_one_item_with_everything_at_first(tmp_path: Path) -> None:
    course = read_run(run_folder(tmp_path, 3)).course
    assert course is not None
    gini = course.inequality("crowding")
    assert np.isnan(gini[0])  # nothing is crowded yet
    assert gini[1] == pytest.approx(1 - 3 / 50)  # three of fifty cities have one visit each


def test_a_log_that_says_something_else_is_believed_more_than_the_reckoning(tmp_path: Path) -> None:
    folder = run_folder(tmp_path, 3)
    keys = folder / "scenario.yaml"
    keys.write_text(keys.read_text("utf-8").replace("decay=0.8", "decay=0.8, rise=2"), "utf-8")
    course = read_run(folder).course
    assert course is not None
    assert course.arrays == {}
    assert course.delivered.sum() == 9


def test_a_user_s_own_dynamics_are_not_imported(tmp_path: Path) -> None:
    folder = run_folder(tmp_path, 2)
    (folder / "mine.py").write_text("raise SystemExit('imported')\n", "utf-8")
    keys = folder / "scenario.yaml"
    keys.write_text(keys.read_text("utf-8").replace("crowding(decay=0.8)", "./mine.py:Mine"), "utf-8")
    course = read_run(folder).course
    assert course is not None
    assert course.arrays == {}


def test_a_catalogue_outside_the_folder_is_not_read(tmp_path: Path) -> None:
    folder = run_folder(tmp_path, 1)
    (folder / "inputs" / "items.csv").rename(tmp_path / "items.csv")
    keys = folder / "scenario.yaml"
    inside = keys.read_text("utf-8")
    for outside in ("../items.csv", str(tmp_path / "items.csv")):
        keys.write_text(inside.replace("inputs/items.csv", outside), "utf-8")
        assert read_run(folder).course is None


def test_a_catalogue_without_the_column_of_names_is_not_known(tmp_path: Path) -> None:
    folder = run_folder(tmp_path, 1)
    keys = folder / "scenario.yaml"
    keys.write_text(keys.read_text("utf-8").replace("id: name", "id: nome"), "utf-8")
    assert read_run(folder).course is None


@pytest.mark.parametrize("text", ["[1, 2", "just words", "catalogue: 3\ndynamics: 4\n", ""])
def test_a_damaged_scenario_file_stops_nothing(text: str, tmp_path: Path) -> None:
    folder = run_folder(tmp_path, 1)
    (folder / "scenario.yaml").write_text(text, "utf-8")
    assert read_run(folder).course is None


def test_events_of_some_kinds_are_those_among_all(tmp_path: Path) -> None:
    folder = run_folder(tmp_path, 2)
    log = folder / "events.jsonl"
    log.write_text(log.read_text("utf-8").replace('{"event":"evolve",', '{ "event": "evolve",', 1), "utf-8")
    done = read_run(folder)
    wanted = ("evolve", "request")
    found = list(done.events(*wanted))
    assert found == [event for event in done.events() if event["event"] in wanted]
    assert len(found) == 4
