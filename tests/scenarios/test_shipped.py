"""Every shipped scenario, whatever it is about: it is found by name, is fine, runs, and holds a conflict."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import scenarios
from simulator import run
from simulator.alignment.canonical import canonical_sentence
from simulator.scenario import Scenario, load_scenario, shipped_scenarios
from simulator.studies.tensions import Tensions, tensions
from tests.scenario_files import command

NAMES = tuple(shipped_scenarios())
FOLDERS = sorted({path.parent for path in shipped_scenarios().values()})
RULES = ("borda", "utilitarian", "egalitarian", "leximin_slate")


@cache
def loaded(name: str) -> Scenario:
    return load_scenario(name)


@cache
def found(name: str) -> Tensions:
    return tensions(loaded(name), RULES, 60)


def test_the_four_domains_are_shipped():
    assert {"tourism", "tourism/getaway", "healthcare", "healthcare/north_carolina"} <= {*NAMES}
    assert {"education", "education/open_university", "recommendation"} <= {*NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_it_is_fine_by_name(name: str, capsys: pytest.CaptureFixture[str]):
    code, out, err = command(capsys, "check", name)
    assert (code, err) == (0, "")
    assert ": fine. " in out
    assert "warning" not in out


@pytest.mark.parametrize("model", ["fake", "none"])
@pytest.mark.parametrize("name", NAMES)
def test_it_runs_by_name(name: str, model: str):
    result = run(name, rounds=3, model=model)
    assert len(result.rounds) == 3
    assert result.stakeholders["alignment"].min() > (0.999 if model == "none" else 0.6)
    assert result.stakeholders[["malformed", "errors", "abstentions"]].to_numpy().sum() == 0


@pytest.mark.parametrize("name", NAMES)
def test_some_stakeholders_want_opposite_things_and_others_do_not(name: str):
    taus = [pair.tau for pair in found(name).pairs]
    assert taus[0] < -0.05
    assert taus[-1] > 0.05


@pytest.mark.parametrize("name", NAMES)
def test_mediators_differ_in_whom_they_serve(name: str):
    services = found(name).services
    assert [service.mediator for service in services] == list(RULES)
    gains = max(a.utilities[i] - b.utilities[i] for a in services for b in services for i in range(len(a.utilities)))
    assert gains > 0.04


@pytest.mark.parametrize("name", NAMES)
def test_goals_say_in_words_what_objectives_say_in_numbers(name: str):
    """In the canonical wording, most important first: no weight is told, and none is contradicted."""
    scenario = loaded(name)
    attributes = {attribute.name: attribute for attribute in scenario.attributes}
    for party in scenario.parties:
        if party.objective is None:
            assert party.goal == "{request.wish}"
            continue
        by_weight = sorted(party.objective.items(), key=lambda entry: -abs(entry[1]))
        phrases = [attributes[attribute].phrase(weight) for attribute, weight in by_weight]
        assert party.goal == canonical_sentence(phrases)
        assert sorted(map(abs, party.objective.values())) == [0.05, 0.15, 0.3, 0.5]


@pytest.mark.parametrize("name", NAMES)
def test_no_two_attributes_of_an_objective_are_worded_alike(name: str):
    scenario = loaded(name)
    attributes = {attribute.name: attribute for attribute in scenario.attributes}
    assert all(attribute.more and attribute.less and attribute.unit for attribute in scenario.attributes)
    wanted = [dict(party.objective) for party in scenario.parties if party.objective is not None]
    wanted += [dict(request.objective) for request in scenario.requests]
    for objective in wanted:
        phrases = [attributes[attribute].phrase(weight) for attribute, weight in objective.items()]
        assert len(set(phrases)) == len(phrases)


@pytest.mark.parametrize("name", NAMES)
def test_every_item_and_every_request_with_a_place_stands_on_the_map(name: str):
    scenario = loaded(name)
    if "latitude" not in scenario.catalogue.columns:
        assert name in ("education/open_university", "recommendation")  # a distance university, and made-up titles
        return
    for column, limit in (("latitude", 90), ("longitude", 180)):
        assert (abs(scenario.catalogue.numbers(column)) <= limit).all()
    placed = ["latitude" in request.fields for request in scenario.requests]
    assert all(placed) or (name == "tourism" and not any(placed))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_its_folder_says_where_the_data_come_from(folder: Path):
    readme = (folder / "README.md").read_text(encoding="utf-8")
    notice = (folder / "LICENSES" / "NOTICE.txt").read_text(encoding="utf-8")
    for file in folder.glob("*.csv"):
        header = file.read_text(encoding="utf-8").splitlines()[0].split(",")
        assert file.name in notice
        assert file.name in readme
        assert [column for column in header if f"`{column}`" not in readme] == []
    for file in folder.glob("*.json"):
        assert file.name in notice
        assert file.name in readme


def test_every_scenario_stands_in_the_table_of_domains():
    text = (Path(scenarios.__path__[0]) / "README.md").read_text(encoding="utf-8")
    assert [name for name in NAMES if f"`{name}`" not in text] == []
