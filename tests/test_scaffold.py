"""`fairagents new stakeholder` and `new mediator`: files that run as they are."""

import subprocess
import sys

import pytest

import simulator as fa
from simulator import registry
from simulator.inputs.yamlfile import InputError
from simulator.scaffold import write_mediator, write_stakeholder
from tests.scenario_files import command


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "name"), [("stakeholder", "Night-Owl"), ("mediator", "Top-Places")])
def test_the_written_test_of_what_is_written_passes(kind, name, tmp_path, capsys):
    code, printed, _ = command(capsys, "new", kind, name, "--out", tmp_path)
    module = name.lower().replace("-", "_")
    assert code == 0
    assert printed.split() == [str(tmp_path / f"{module}.py"), str(tmp_path / f"test_{module}.py")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout


def test_a_written_stakeholder_takes_part_as_its_first_lines_say(tmp_path, monkeypatch):
    write_stakeholder("night_owl", tmp_path)
    monkeypatch.chdir(tmp_path)
    scenario = fa.load_scenario("tourism", ["stakeholders.tourist.agent=./night_owl.py:NightOwl(avoid=[Paris, Rome])"])
    assert scenario.parties[0].options.avoid == ("Paris", "Rome")
    assert "avoid=[Paris]" in (tmp_path / "night_owl.py").read_text()
    assert len(fa.run(scenario, rounds=1, model="none").rounds) == 1


def test_a_written_mediator_decides_as_its_first_lines_say(tmp_path, monkeypatch):
    write_mediator("Top-Places", tmp_path)
    monkeypatch.chdir(tmp_path)
    profile = fa.Profile.from_rankings(["abc", "bca"])
    assert fa.mediate(profile, registry.create("mediator", "./top_places.py:TopPlaces(places=1)")).scores == {
        "a": 1,
        "b": 1,
        "c": 0,
    }
    assert '--mediator "./top_places.py:TopPlaces(places=3)"' in (tmp_path / "top_places.py").read_text()
    scenario = fa.load_scenario("tourism", mediator="./top_places.py:TopPlaces(places=3)")
    assert len(fa.run(scenario, rounds=1, model="none").rounds) == 1


def test_a_mediator_takes_no_known_name(tmp_path):
    with pytest.raises(InputError, match="there is a mediator 'borda' already; choose another name"):
        write_mediator("Borda", tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("2nd", "needs a name of letters a-z, digits and '_', such as night_owl"),
        ("../evil", "needs a name of letters"),
        ("a.b", "needs a name of letters"),
        ("", "needs a name of letters"),
        ("{x}", "needs a name of letters"),
        ("class", "needs a name of letters"),
        ("Ünï", "needs a name of letters"),
        ("json", "'json' is the name of an installed module, which the file would hide"),
        ("simulator", "'simulator' is the name of an installed module"),
    ],
)
def test_a_name_that_makes_no_file_of_ones_own_is_refused(name, message, tmp_path, capsys):
    code, printed, said = command(capsys, "new", "stakeholder", name, "--out", tmp_path)
    assert (code, printed) == (2, "")
    assert message in said
    assert list(tmp_path.iterdir()) == []


def test_no_file_is_overwritten_and_no_folder_made(tmp_path):
    (tmp_path / "test_night_owl.py").write_text("mine")
    with pytest.raises(InputError, match="exists already"):
        write_stakeholder("night_owl", tmp_path)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]
    with pytest.raises(InputError, match="is no folder"):
        write_stakeholder("night_owl", tmp_path / "none")
