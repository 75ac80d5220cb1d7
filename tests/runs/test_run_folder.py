"""What a run folder holds while a run goes on and when it ends."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulator.records import RoundRecord
from simulator.runs import RunFolder
from simulator.runs.folder import slug
from tests.fake_run import MANIFEST, fake_records, play

NewFolder = Callable[..., RunFolder]


@pytest.fixture
def new_folder() -> Iterator[NewFolder]:
    """Makes run folders and closes them after the test."""
    made: list[RunFolder] = []

    def new(out: Path, **changes: Any) -> RunFolder:
        given: dict[str, Any] = {"scenario_slug": "A week in Europe", "resolved_yaml": "title: x\n", "inputs": {}}
        made.append(RunFolder.create(out, **{**given, "manifest": MANIFEST, **changes}))
        return made[-1]

    yield new
    for folder in made:
        folder.finish("success")


def manifest_of(folder: RunFolder) -> dict[str, Any]:
    return dict(json.loads((folder.path / "manifest.json").read_text("utf-8")))


def record(**changes: Any) -> RoundRecord:
    fields = {"round": 1, "row": {"round": 1}, "stakeholder_rows": [], "events": [], "timings": []}
    return RoundRecord(**{**fields, **changes})


def test_folder_name_is_stamp_slug_and_six_hex_digits(tmp_path: Path, new_folder: NewFolder) -> None:
    assert re.fullmatch(r"\d{8}-\d{6}_a-week-in-europe_[0-9a-f]{6}", new_folder(tmp_path / "runs").path.name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Città d'Arte — 2026", "citta-d-arte-2026"),
        ("../../etc/passwd", "etc-passwd"),
        ("市場", "scenario"),
        ("", "scenario"),
        ("x" * 39 + " y", "x" * 39),
        ("con\0\n<script>", "con-script"),
    ],
)
def test_slug_of_foreign_text_is_a_safe_file_name(text: str, expected: str) -> None:
    assert slug(text) == expected


def test_started_manifest_is_on_disk_before_the_first_round(tmp_path: Path, new_folder: NewFolder) -> None:
    folder = new_folder(tmp_path)
    manifest = manifest_of(folder)
    assert (manifest["status"], manifest["error"], manifest["rounds_done"]) == ("started", None, 0)
    assert manifest["seed"] == MANIFEST["seed"]
    assert manifest["started"].endswith("+00:00")


def test_every_round_is_on_disk_as_soon_as_it_is_recorded(tmp_path: Path, new_folder: NewFolder) -> None:
    folder = new_folder(tmp_path)
    for count, one in enumerate(fake_records(3), start=1):
        for event in one.events:
            folder.event(event)
        folder.round(one)
        assert len((folder.path / "rounds.csv").read_text("utf-8").splitlines()) == count + 1
        assert len((folder.path / "stakeholders.csv").read_text("utf-8").splitlines()) == 4 * count + 1
        last = (folder.path / "events.jsonl").read_text("utf-8").splitlines()[-1]
        assert json.loads(last)["round"] == count


def test_same_records_give_the_same_bytes(tmp_path: Path, new_folder: NewFolder) -> None:
    written = []
    for _ in range(2):
        with new_folder(tmp_path) as folder:
            play(folder, fake_records(4, hostile=True, items=10))
        names = ("rounds.csv", "stakeholders.csv", "events.jsonl")
        written.append([(folder.path / name).read_bytes() for name in names])
    assert written[0] == written[1]


def test_csv_has_blank_nan_repr_floats_and_unix_line_ends(tmp_path: Path, new_folder: NewFolder) -> None:
    folder = new_folder(tmp_path)
    row = {
        "round": 1,
        "utility": 0.1 + 0.2,
        "ndcg": float("nan"),
        "accepted": None,
        "agreed": True,
        "gini": np.float64(1 / 3),
    }
    folder.round(record(row=row))
    expected = "round,utility,ndcg,accepted,agreed,gini\n1,0.30000000000000004,,,True,0.3333333333333333\n"
    assert (folder.path / "rounds.csv").read_bytes() == expected.encode()


def test_events_keep_their_key_order_and_unicode_and_write_nan_as_null(tmp_path: Path, new_folder: NewFolder) -> None:
    folder = new_folder(tmp_path)
    event = {
        "event": "proposal",
        "round": 1,
        "argument": "Kraków 🏰",
        "b": float("nan"),
        "a": [np.int64(2), float("inf")],
    }
    folder.event(event)
    folder.event({"event": "evolve", "round": 1, "arrays": {"crowding": np.array([0.5, np.nan])}})
    folder.round(record())
    assert (folder.path / "events.jsonl").read_text("utf-8") == (
        '{"event":"proposal","round":1,"argument":"Kraków 🏰","b":null,"a":[2,null]}\n'
        '{"event":"evolve","round":1,"arrays":{"crowding":[0.5,null]}}\n'
    )


def test_half_a_surrogate_pair_in_a_reply_is_written_and_read_back(tmp_path: Path, new_folder: NewFolder) -> None:
    folder = new_folder(tmp_path)
    folder.event({"event": "proposal", "round": 1, "argument": "broken \ud83d emoji"})
    folder.round(record(row={"round": 1, "request": "broken \ud83d"}))
    assert json.loads((folder.path / "events.jsonl").read_bytes())["argument"] == "broken \ud83d emoji"
    assert (folder.path / "rounds.csv").read_bytes().endswith(rb"broken \ud83d" + b"\n")


def test_row_with_other_columns_than_the_first_is_refused(tmp_path: Path, new_folder: NewFolder) -> None:
    folder = new_folder(tmp_path)
    folder.round(record(row={"round": 1, "gini": 0.1}))
    with pytest.raises(ValueError, match="lacks the column 'gini'"):
        folder.round(record(row={"round": 2, "gina": 0.1}))
    with pytest.raises(ValueError, match="the first had round, gini"):
        folder.round(record(row={"round": 2, "gini": 0.1, "extra": 1}))


def test_success_writes_counts_totals_and_wall_time(tmp_path: Path, new_folder: NewFolder) -> None:
    with new_folder(tmp_path) as folder:
        records = list(fake_records(3))
        play(folder, iter(records))
        folder.finish("success", cost_usd=0.25)
    manifest = manifest_of(folder)
    assert manifest["status"] == "success"
    assert manifest["rounds_done"] == 3
    assert manifest["prompt_tokens"] == sum(one.row["prompt_tokens"] for one in records) > 0
    assert manifest["cost_usd"] == 0.25
    assert manifest["wall_seconds"] >= 0
    assert [entry.name for entry in folder.path.iterdir() if entry.name.startswith(".")] == []


def test_an_exception_is_recorded_in_one_line_and_goes_on(tmp_path: Path, new_folder: NewFolder) -> None:
    folder = new_folder(tmp_path)
    folder.event({"event": "request", "round": 1})
    with pytest.raises(RuntimeError, match="second line"), folder:
        raise RuntimeError("first line\nsecond line" + "x" * 5000)
    manifest = manifest_of(folder)
    assert manifest["status"] == "error"
    assert manifest["error"].startswith("RuntimeError: first line second line")
    assert len(manifest["error"]) == 500
    assert (folder.path / "events.jsonl").read_text("utf-8") == '{"event":"request","round":1}\n'


@pytest.mark.parametrize("interruption", [KeyboardInterrupt(), SystemExit(143), asyncio.CancelledError()])
def test_an_interruption_is_recorded_as_cancelled_and_goes_on(
    tmp_path: Path, new_folder: NewFolder, interruption: BaseException
) -> None:
    with pytest.raises(type(interruption)), new_folder(tmp_path) as folder:
        raise interruption
    assert manifest_of(folder)["status"] == "cancelled"


def test_the_first_finish_counts(tmp_path: Path, new_folder: NewFolder) -> None:
    with new_folder(tmp_path) as folder:
        folder.finish("error", "the model is gone")
    assert manifest_of(folder)["status"] == "error"


def test_scenario_and_data_files_are_copied(tmp_path: Path, new_folder: NewFolder) -> None:
    folder = new_folder(tmp_path, inputs={"cities.csv": b"city\n\xff", "data/queries.json": b"[]"})
    assert (folder.path / "scenario.yaml").read_bytes() == b"title: x\n"
    assert (folder.path / "cities.csv").read_bytes() == b"city\n\xff"
    assert (folder.path / "data" / "queries.json").read_bytes() == b"[]"
    assert folder.journal_path == folder.path / "journal.jsonl"


@pytest.mark.parametrize(
    "name", ["../up.csv", "/etc/x", "a/../../x", "", ".", "c:x", "a\\b", "x\0", "rounds.csv", "plots/x"]
)
def test_data_file_that_would_leave_the_folder_or_hide_a_file_is_refused(
    tmp_path: Path, new_folder: NewFolder, name: str
) -> None:
    with pytest.raises(ValueError, match="data file"):
        new_folder(tmp_path, inputs={name: b""})
    assert list(tmp_path.iterdir()) == []


def test_a_killed_run_keeps_its_finished_rounds(tmp_path: Path) -> None:
    script = (
        "import itertools, sys; from pathlib import Path\n"
        "from simulator.runs import RunFolder\n"
        "from simulator.records import RoundRecord\n"
        "folder = RunFolder.create(Path(sys.argv[1]), scenario_slug='x', resolved_yaml='', inputs={}, manifest={})\n"
        "for n in itertools.count(1):\n"
        "    folder.event({'event': 'request', 'round': n})\n"
        "    folder.round(RoundRecord(n, {'round': n}, [{'round': n, 'stakeholder': 'a'}], [], []))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)])
    try:
        rounds = wait_for_rounds(tmp_path, at_least=3)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    manifest = json.loads((rounds.parent / "manifest.json").read_bytes())
    assert manifest["status"] == "started"
    done = rounds.read_text("utf-8").split("\n")
    assert done[:4] == ["round", "1", "2", "3"]


def wait_for_rounds(out: Path, at_least: int) -> Path:
    for _ in range(600):
        found = list(out.glob("*/rounds.csv"))
        if found and found[0].read_text("utf-8").count("\n") > at_least:
            return found[0]
        time.sleep(0.05)
    raise AssertionError("the run recorded nothing in 30 s")


def test_events_of_a_slow_turn_are_on_disk_before_the_round_ends(tmp_path, monkeypatch):
    clock = iter(float(second) for second in range(1000))
    monkeypatch.setattr("simulator.runs.folder.time.monotonic", lambda: 2 * next(clock))
    folder = RunFolder.create(tmp_path, scenario_slug="slow", resolved_yaml="", inputs={}, manifest={})
    folder.event({"event": "request", "round": 1})
    assert (folder.path / "events.jsonl").read_text() == '{"event":"request","round":1}\n'
    folder.finish("success")
