"""Who is at odds with whom, and whom mediators serve: on a world that can be counted by hand, and on shipped ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scipy.stats import kendalltau

from simulator import load_scenario
from simulator.studies.rational import rational_rounds
from simulator.studies.tensions import tensions
from tests.scenario_files import command

WORLD = """\
title: Three dishes
k: 1
catalogue:
  file: dishes.csv
  id: dish
  attributes: {price: {}, taste: {}, size: {}}
stakeholders:
  - {name: guest, agent: utility, objective: {taste: 1}}
  - {name: cook, agent: utility, objective: {price: 1}}
  - {name: child, agent: utility, objective: {size: 0.9, price: -0.1}}
  - {name: none, agent: utility, objective: {size: 1, taste: 1}}
mediator: borda
model: none
"""
DISHES = "dish,price,taste,size\nsoup,1,3,1\nfish,2,2,3\nroast,3,1,2\n"


@pytest.fixture
def world(tmp_path: Path) -> Path:
    (tmp_path / "scenario.yaml").write_text(WORLD, encoding="utf-8")
    (tmp_path / "dishes.csv").write_text(DISHES, encoding="utf-8")
    return tmp_path


def test_opposite_interests_are_found_with_what_they_part_over(world: Path):
    found = tensions(load_scenario(world), ["borda"], 2)
    pair = found.pairs[0]
    assert (pair.first, pair.second, pair.tau, pair.opposed) == ("guest", "cook", -1, 1)
    assert str(pair.conflict) == "taste, price -1.00"
    assert pair.agreement is None
    guest_child = next(pair for pair in found.pairs if (pair.first, pair.second) == ("guest", "child"))
    # taste 3 2 1 against size 1 3 2: one pair of three alike; price falls as taste does
    assert guest_child.tau == pytest.approx(-1 / 3)
    assert str(guest_child.conflict) == "taste, size -0.33"
    assert str(guest_child.agreement) == "taste, price +1.00"


def test_a_mediator_that_follows_one_is_seen_to_serve_it(world: Path):
    (world / "scenario.yaml").write_text(WORLD.replace("name: cook,", "name: cook, weight: 9,"), encoding="utf-8")
    found = tensions(load_scenario(world), ["borda", "egalitarian"], 3)
    table = {
        service.mediator: dict(zip(found.stakeholders, service.utilities, strict=True)) for service in found.services
    }
    assert table["borda"]["cook"] == 1  # the roast, all three rounds
    assert table["borda"]["guest"] == 0
    assert table["egalitarian"]["guest"] == table["egalitarian"]["cook"] == 0.5  # the fish
    rows = found.service_rows()
    assert rows[0]["gains"] == "cook +0.25"
    assert rows[1]["loses"] == "cook -0.25"


def test_taus_are_scipys():
    scenario = load_scenario("healthcare", model="none")
    found = tensions(scenario, [], 6)
    rounds = list(rational_rounds(scenario, scenario.mediator, 6))
    for pair in found.pairs:
        first, second = (found.stakeholders.index(name) for name in (pair.first, pair.second))
        taus = [kendalltau(each.utilities[first], each.utilities[second]).statistic for each in rounds]
        assert pair.tau == pytest.approx(sum(taus) / len(taus))
        assert pair.opposed == pytest.approx(sum(tau < 0 for tau in taus) / len(taus))
    assert [pair.tau for pair in found.pairs] == sorted(pair.tau for pair in found.pairs)


def test_a_stakeholder_that_prefers_nothing_is_at_odds_with_nobody(world: Path):
    text = WORLD.replace("objective: {taste: 1}", "objective: {flat: 1}").replace("size: {}}", "size: {}, flat: {}}")
    (world / "scenario.yaml").write_text(text, encoding="utf-8")
    flat_dishes = "".join(f"{line},{'flat' if line.startswith('dish') else 7}\n" for line in DISHES.splitlines())
    (world / "dishes.csv").write_text(flat_dishes, encoding="utf-8")
    found = tensions(load_scenario(world), ["borda"], 1)
    flat = [pair for pair in found.pairs if pair.first == "guest"]
    assert all(pair.tau != pair.tau and pair.conflict is None for pair in flat)
    assert found.pairs[-3:] == tuple(flat)  # undefined ones stand last
    assert all(entry["tau"] is None for entry in found.to_json()["pairs"][-3:])


def test_the_command_prints_both_tables(world: Path, capsys: pytest.CaptureFixture[str]):
    code, out, err = command(capsys, "tensions", world, "--rounds", "1", "--mediator", "borda, nash")
    assert (code, err) == (0, "")
    assert out.splitlines()[:2] == [
        "stakeholders   tau    opposed  part over           meet in",
        "guest / cook   -1.00  100%     taste, price -1.00  -",
    ]
    assert out.count("borda") == out.count("nash") == 1


def test_the_command_prints_json(world: Path, capsys: pytest.CaptureFixture[str]):
    code, out, _ = command(capsys, "tensions", world, "--rounds", "1", "--mediator", "borda", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["pairs"][0]["conflict"] == {"attributes": ["taste", "price"], "tau": -1.0}
    assert list(found["utilities"]) == ["borda"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tensions", "tourism", "--mediator", "bordas"], "did you mean 'borda'"),
        (["loads", "tourism", "--array", "crowdin"], "did you mean 'crowding'"),
        (["loads", "turism"], "did you mean 'tourism'"),
    ],
)
def test_wrong_input_is_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    code, out, err = command(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err
