"""`fairagents mediate` on PrefLib's files."""

import json
from pathlib import Path

import pytest

from simulator.inputs.profile_file import read_profile
from tests.scenario_files import command

SAMPLES = Path(__file__).parents[1] / "oracles" / "preflib"


def test_any_format_goes_in_and_several_rules_come_out(capsys):
    path = SAMPLES / "svvamp_netflix_00004-00000040.soc"
    code, printed, _ = command(capsys, "mediate", path, "--mediator", "borda, copeland", "--json")
    borda, copeland = map(json.loads, printed.splitlines())
    assert code == 0
    # by hand from the file's six lines: 2 x first + second places
    assert borda["scores"] == {"Jaws": 2 * 1354 + 599, "I": 2 * 466 + 992, "Four Rooms": 2 * 490 + 719}
    assert copeland["winners"] == ["Jaws"]


def test_all_tied_winners_and_slates_are_listed(tmp_path, capsys):
    (tmp_path / "p.json").write_text('{"items": ["a", "b", "c"], "ballots": [{"ranking": [["a", "b"]]}]}')
    code, printed, _ = command(capsys, "mediate", tmp_path / "p.json", "--mediator", "plurality", "--k", 1, "--json")
    outcome = json.loads(printed)
    assert code == 0
    assert (outcome["winners"], outcome["slates"], outcome["complete"]) == (["a", "b"], [["a"], ["b"]], True)


def test_the_profile_is_written_in_another_format(tmp_path, capsys):
    path = SAMPLES / "preflibdata_debian_00002-00000001.soi"
    code, printed, _ = command(capsys, "mediate", path, "--write", tmp_path / "p.json")
    again = command(capsys, "mediate", tmp_path / "p.json", "--write", tmp_path / "p.toi")
    assert code == again[0] == 0
    assert again[1] == printed
    assert read_profile(tmp_path / "p.toi").ranks.tolist() == read_profile(path).ranks.tolist()


@pytest.mark.parametrize(
    ("file", "text", "arguments", "said"),
    [
        ("p.soc", "# NUMBER ALTERNATIVES: 2\n", [], "p.soc:1: NUMBER ALTERNATIVES is 2, but 0 have"),
        ("p.txt", "", [], "p.txt: the name's ending must say the format; known: .cat, .json, .soc"),
        ("p.toi", "1\n1,a\n1,1,1\n1,1\n", ["--write", "p.cat"], "p.cat: the ballots have no approvals"),
        ("p.toi", "1\n1,a\n1,1,1\n1,1\n", ["--write", "p.xls"], "p.xls: the name's ending must say the format"),
        ("p.toi", "1\n1,a\n1,1,1\n1,1\n", ["--write", "none/p.soc"], "none/p.soc: cannot be written: No such file"),
    ],
)
def test_what_is_wrong_with_a_file_ends_with_2(file, text, arguments, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path(file).write_text(text)
    code, printed, error = command(capsys, "mediate", file, *arguments)
    assert (code, printed) == (2, "")
    assert said in error
