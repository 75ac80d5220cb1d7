"""A run is read back as it was recorded, from disk and from memory."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from simulator.records import RoundRecord
from simulator.runs import MemoryRecorder, Run, RunError, RunFolder, read_run
from tests.fake_run import HOSTILE_STAKEHOLDERS, MANIFEST, fake_records, play


def written(out: Path, **options: Any) -> RunFolder:
    with RunFolder.create(out, scenario_slug="x", resolved_yaml="", inputs={}, manifest=MANIFEST) as folder:
        play(folder, fake_records(**options))
    return folder


def remembered(**options: Any) -> Run:
    recorder = MemoryRecorder()
    play(recorder, fake_records(**options))
    return recorder.run(MANIFEST)


@pytest.mark.parametrize("options", [{"rounds": 3}, {"rounds": 2, "hostile": True, "items": 10}])
def test_events_and_values_survive_the_way_through_the_folder(tmp_path: Path, options: dict[str, Any]) -> None:
    records = list(fake_records(**options))
    run = read_run(written(tmp_path, **options).path)
    assert list(run.events()) == [event for record in records for event in record.events]
    assert run.rounds.to_dict("records") == [record.row for record in records]
    assert run.stakeholders.to_dict("records") == [row for record in records for row in record.stakeholder_rows]


@pytest.mark.parametrize("options", [{"rounds": 3}, {"rounds": 2, "hostile": True, "items": 10}])
def test_memory_and_folder_give_equal_frames(tmp_path: Path, options: dict[str, Any]) -> None:
    kept, read = remembered(**options), read_run(written(tmp_path, **options).path)
    assert_frame_equal(kept.rounds, read.rounds)
    assert_frame_equal(kept.stakeholders, read.stakeholders)
    assert_frame_equal(kept.timings, read.timings)


def test_plain_pandas_reads_both_files_alike(tmp_path: Path) -> None:
    folder = written(tmp_path, rounds=3)
    run = read_run(folder.path)
    assert_frame_equal(pd.read_csv(folder.path / "rounds.csv"), run.rounds)
    assert_frame_equal(pd.read_csv(folder.path / "stakeholders.csv"), run.stakeholders)


def test_names_that_pandas_would_take_for_missing_or_numbers_stay_text() -> None:
    recorder = MemoryRecorder()
    row = {"round": 1, "request": "007", "mediator": "null", "slate": "NA"}
    recorder.round(RoundRecord(1, row, [{"round": 1, "stakeholder": "nan", "accepted": None}], [], []))
    rounds, stakeholders = recorder.frames()
    assert rounds.iloc[0].tolist() == [1, "007", "null", "NA"]
    assert stakeholders["stakeholder"].tolist() == ["nan"]
    assert stakeholders["accepted"].isna().all()


@pytest.mark.parametrize(
    "name", ["two\nlines", "carriage\rreturn", 'quo"te', "comma,", " space ", "tab\t", "\ufeffbom"]
)
def test_a_name_with_csv_s_own_characters_is_read_back(name: str) -> None:
    recorder = MemoryRecorder()
    recorder.round(RoundRecord(1, {"round": 1}, [{"round": 1, "stakeholder": name, "utility": 0.5}], [], []))
    assert recorder.frames()[1].to_dict("records") == [{"round": 1, "stakeholder": name, "utility": 0.5}]


def test_stakeholders_keep_scenario_order(tmp_path: Path) -> None:
    run = read_run(written(tmp_path, rounds=2, hostile=True, items=10).path)
    assert run.names == list(HOSTILE_STAKEHOLDERS)
    assert list(run.by_stakeholder("utility").columns) == list(HOSTILE_STAKEHOLDERS)


def test_a_column_that_is_not_logged_is_an_empty_table() -> None:
    table = remembered(rounds=3).by_stakeholder("regret")
    assert table.shape == (3, 0)


def test_conversations_come_round_by_round() -> None:
    rounds = dict(remembered(rounds=3).conversations())
    assert list(rounds) == [1, 2, 3]
    assert [rounds[2][0]["event"], rounds[2][-1]["event"]] == ["request", "evolve"]


def cut(path: Path, keep: int) -> None:
    path.write_bytes(path.read_bytes()[:keep])


@pytest.mark.parametrize("lost", [1, 10, 60])
def test_a_torn_last_line_is_left_out(tmp_path: Path, lost: int) -> None:
    path = written(tmp_path, rounds=3).path
    for name in ("rounds.csv", "stakeholders.csv", "events.jsonl"):
        cut(path / name, (path / name).stat().st_size - lost)
    run = read_run(path)
    assert run.rounds["round"].tolist() == [1, 2]
    assert run.stakeholders["round"].tolist() == [1] * 4 + [2] * 4
    assert [event["round"] for event in run.events()][-1] == 3


def test_a_line_torn_inside_quotes_is_left_out() -> None:
    from simulator.runs.read import _whole_lines

    assert _whole_lines('a,b\n1,"x\ny"\n2,"half\nof') == 'a,b\n1,"x\ny"\n'


def test_a_run_killed_before_its_first_round_is_an_empty_run(tmp_path: Path) -> None:
    run = read_run(written(tmp_path, rounds=0).path)
    assert run.rounds.empty
    assert list(run.events()) == []
    assert run.names == []


def test_a_missing_folder_a_foreign_folder_and_a_broken_manifest_are_run_errors(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="there is no folder"):
        read_run(tmp_path / "nowhere")
    with pytest.raises(RunError, match=r"not a run folder: it has no manifest\.json"):
        read_run(tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(RunError, match="cannot be read"):
        read_run(tmp_path)
    (tmp_path / "manifest.json").write_text("[]")
    with pytest.raises(RunError, match="holds a list"):
        read_run(tmp_path)
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(RunError, match=r"it has no rounds\.csv"):
        read_run(tmp_path)


@pytest.mark.parametrize("line", ["{broken}", "[1]", '{"event":"request"}', "[" * 100_000])
def test_a_damaged_event_in_the_middle_is_named_by_its_line(tmp_path: Path, line: str) -> None:
    path = written(tmp_path, rounds=1).path
    with (path / "events.jsonl").open("a") as events:
        events.write(line + '\n{"event":"request","round":2}\n')
    with pytest.raises(RunError, match=r"events\.jsonl', line \d+"):
        list(read_run(path).events())


def test_rows_that_are_not_csv_are_a_run_error(tmp_path: Path) -> None:
    path = written(tmp_path, rounds=1).path
    (path / "rounds.csv").write_bytes(b"round,slate\n1,a\n2,b,c,d\n")
    with pytest.raises(RunError, match=r"rounds\.csv' cannot be read"):
        read_run(path)


def test_what_is_read_is_what_pandas_parses_exactly(tmp_path: Path) -> None:
    folder = written(tmp_path, rounds=20)
    text = (folder.path / "rounds.csv").read_text("utf-8")
    column = read_run(folder.path).rounds["gini"]
    exact = [float(line.split(",")[10]) for line in text.splitlines()[1:]]
    assert column.tolist() == exact
    assert pd.read_csv(io.StringIO(text)).columns[10] == "gini"
