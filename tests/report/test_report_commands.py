"""`fairagents report`, `plots` and `show` on a run folder, and what they say to a wrong word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from simulator.cli import main
from tests.fake_run import HOSTILE_ITEMS
from tests.report.run_folder import run_folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_folder(tmp_path_factory.mktemp("runs"), 2)


def call(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    code = ended.value.code
    return 0 if code is None else int(code)


def test_report_is_written_anew_also_of_a_run_that_was_killed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest = folder / "manifest.json"
    whole = manifest.read_text("utf-8")
    manifest.write_text(whole.replace('"status": "success"', '"status": "started"'), "utf-8")
    with (folder / "events.jsonl").open("a") as events:
        events.write('{"event":"request","rou')
    assert call("report", folder) == 0
    manifest.write_text(whole, "utf-8")
    path = folder / "report.html"
    assert capsys.readouterr().out.splitlines() == [str(path)]
    assert "The run has not ended: 2 rounds of 2 done so far, or it was killed." in path.read_text("utf-8")


def test_plots_are_written_where_and_as_they_are_wanted(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = ("--kind", "turns, turns", "--format", "svg", "--width", "column", "--out", tmp_path / "paper")
    assert call("plots", folder, *wanted) == 0
    assert capsys.readouterr().out.splitlines() == [str(tmp_path / "paper" / "turns.svg")]
    assert [path.name for path in (tmp_path / "paper").iterdir()] == ["turns.svg"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("plots", "--kind", "utility"), "--kind utility: is no kind; did you mean 'utilities'?"),
        (("plots", "--kind", ","), "--kind: is no kind; known: agreement, cost, fairness, map, "),
        (("plots", "--format", "gif"), "--format gif: is no format; known: pdf, png, svg"),
        (("plots", "--width", "2"), "--width 2: is no width; known: column, page, screen"),
        (("plots", "--out", "{folder}/rounds.csv"), "rounds.csv' is a file; name a folder"),
        (("report", "--out", "{folder}"), "is a folder; name a file, such as"),
        (("report", "--out", "{folder}/no/r.html"), "there is no folder '{folder}/no'; make it first"),
        (("show", "--round", "3"), "--round 3: is no round of this run; it has rounds 1 to 2"),
        (("show", "--round", "-1"), "--round -1: is no round of this run; it has rounds 1 to 2"),
    ],
)
def test_a_wrong_word_is_one_line_with_a_remedy(
    arguments: tuple[str, ...], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled = [argument.replace("{folder}", str(folder)) for argument in arguments]
    assert call(filled[0], folder, *filled[1:]) == 2
    shown = capsys.readouterr()
    assert said.replace("{folder}", str(folder)) in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""


@pytest.mark.parametrize("command", [["report"], ["plots"], ["show", "--round", "1"]])
def test_a_folder_that_is_no_run_is_refused(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(command[0], tmp_path, *command[1:]) == 2
    assert "is not a run folder" in capsys.readouterr().err


def test_show_tells_a_round(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("show", folder, "--round", 2) == 0
    text = capsys.readouterr().out
    events = [json.loads(line) for line in (folder / "events.jsonl").read_text("utf-8").splitlines()[:-1]]
    own = [event for event in events if event["round"] == 2]
    slate = [event for event in own if event["event"] == "outcome"][-1]["slate"]
    for said in (
        "A week in Europe, round 2",
        "A long weekend in a quiet city",
        "20 candidates: ",
        "TURN 1",
        "It is quiet in autumn",
        "faults: omissions 2",
        "OUTCOME by borda: " + slate[0],
        "what each gave",
        "comes first with",
        "stakeholder ",
        "nash_welfare 0.",
        "afterwards, crowding: ",
    ):
        assert said in text
    assert all(len(line) <= 110 for line in text.splitlines())


def test_show_as_json_holds_the_rows_and_the_events(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("show", folder, "--round", 1, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    lines = (folder / "events.jsonl").read_text("utf-8").splitlines()
    assert found["events"] == [event for line in lines[:-1] if (event := json.loads(line))["round"] == 1]
    assert found["row"]["round"] == found["round"] == 1
    assert [row["stakeholder"] for row in found["stakeholders"]][:2] == ["tourist", "platform"]
    assert 0 < found["stakeholders"][0]["utility"] < 1


def test_show_makes_foreign_text_printable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hostile = run_folder(tmp_path, 1, hostile=True, argument="\x1b[2J\x07 cleared \u202egnp " + "x" * 10_000)
    assert call("show", hostile, "--round", 1) == 0
    text = capsys.readouterr().out
    assert "?[2J? cleared ?gnp" in text
    assert "more characters" in text
    assert all(letter.isprintable() for line in text.splitlines() for letter in line)
    assert len(text) < 30_000
    assert HOSTILE_ITEMS[0] in text
