"""`fairagents new stakeholder`: files that run as they are."""

import subprocess
import sys

import pytest

import simulator as fa
from simulator.inputs.yamlfile import InputError
from simulator.scaffold import write_stakeholder
from tests.scenario_files import command


def test_the_written_test_of_a_written_stakeholder_passes(tmp_path, capsys):
    code, printed, _ = command(capsys, "new", "stakeholder", "Night-Owl", "--out", tmp_path)
    assert code == 0
    assert printed.split() == [str(tmp_path / "night_owl.py"), str(tmp_path / "test_night_owl.py")]
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
