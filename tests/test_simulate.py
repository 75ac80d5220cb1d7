"""`run`: what it returns, what it leaves on disk however it ends, and that the same seed gives the same bytes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from simulator import RunResult, load_scenario, read_run, run
from simulator.models.spec import FAULTS as MODEL_FAULTS
from tests.models.openai_server import OpenAIServer

WORLDS = Path(__file__).parent / "worlds"
LETTERS = WORLDS / "letters"
TALKERS = WORLDS / "talkers"
REPRODUCIBLE = ("rounds.csv", "stakeholders.csv", "events.jsonl")


def folder_of(result: RunResult) -> Path:
    assert result.path is not None
    return result.path


def bytes_of(folder: Path) -> list[bytes]:
    return [(folder / name).read_bytes() for name in REPRODUCIBLE]


def manifest_of(out: Path) -> dict[str, object]:
    (folder,) = out.iterdir()
    manifest: dict[str, object] = json.loads((folder / "manifest.json").read_bytes())
    return manifest


@pytest.mark.parametrize("way", ["weigh", "listwise"])
def test_a_run_in_memory_equals_the_run_folder_read_back(tmp_path: Path, way: str) -> None:
    scenario = load_scenario(TALKERS, [f"stakeholders.{place}.way={way}" for place in (0, 1)])
    memory, written = run(scenario), run(scenario, out=tmp_path, plots=False)
    pd.testing.assert_frame_equal(memory.rounds, written.rounds, check_exact=True)
    pd.testing.assert_frame_equal(memory.stakeholders, written.stakeholders, check_exact=True)
    assert memory.events == written.events
    assert memory.path is None


def test_a_run_folder_holds_what_it_should_and_says_success(tmp_path: Path) -> None:
    result = run(TALKERS, out=tmp_path, plots=False, seed=7)
    manifest = manifest_of(tmp_path)
    assert manifest["status"] == "success"
    assert manifest["error"] is None
    assert (manifest["seed"], manifest["model"], manifest["rounds_done"], manifest["cost_usd"]) == (7, "fake", 3, 0.0)
    for tokens in ("prompt_tokens", "completion_tokens"):
        assert manifest[tokens] == result.rounds[tokens].sum() == result.stakeholders[tokens].sum()
    names = {path.name for path in folder_of(result).iterdir()}
    assert names >= {*REPRODUCIBLE, "manifest.json", "journal.jsonl", "scenario.yaml", "timings.csv", "inputs"}


def test_the_journal_holds_every_reply_that_the_events_quote(tmp_path: Path) -> None:
    folder = folder_of(run(TALKERS, out=tmp_path, plots=False))
    journal = [json.loads(line) for line in (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()]
    replies = {entry["reply"] for entry in journal}
    quoted = [
        exchange["reply"]
        for event in read_run(folder).events("proposal", "response")
        for exchange in event["details"].get("exchanges", ())
    ]
    assert quoted
    assert set(quoted) <= replies
    assert all(entry["purpose"].split("/")[3] in ("propose", "respond") for entry in journal)


@pytest.mark.parametrize("scenario", [LETTERS, TALKERS])
def test_the_run_folders_own_scenario_gives_the_same_bytes(tmp_path: Path, scenario: Path) -> None:
    first = folder_of(run(scenario, out=tmp_path / "1", plots=False, seed=5))
    again = folder_of(run(first, out=tmp_path / "2", plots=False))
    assert bytes_of(first) == bytes_of(again)


def test_a_user_class_is_kept_with_the_run(tmp_path: Path) -> None:
    scenario = load_scenario(LETTERS, ["stakeholders.0.agent=./odd.py:Honest"])
    first = folder_of(run(scenario, out=tmp_path / "1", plots=False))
    assert bytes_of(first) == bytes_of(folder_of(run(first, out=tmp_path / "2", plots=False)))


def test_another_seed_gives_another_run() -> None:
    runs = [run(TALKERS, seed=seed) for seed in (1, 1, 2)]
    assert runs[0].events == runs[1].events
    assert runs[0].events != runs[2].events


RUN = "import sys, simulator as fa; print(fa.run(sys.argv[1], out=sys.argv[2], plots=False, seed=7, model='fake').path)"


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_under_any_hash_seed(tmp_path: Path) -> None:
    written = []
    for hash_seed in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", RUN, str(TALKERS), str(tmp_path)],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        written.append(bytes_of(Path(done.stdout.strip())))
    assert written[0] == written[1]


@pytest.mark.parametrize("way", ["weigh", "listwise"])
@pytest.mark.parametrize("fault", MODEL_FAULTS)
def test_a_run_with_any_faulty_model_ends_in_success(tmp_path: Path, fault: str, way: str) -> None:
    patience = 0.05 if fault == "never" else 20  # a busy machine must not look like a silent model
    model = f"fake(fault={fault}, way={way}, timeout={patience})"
    result = run(TALKERS, model=model, out=tmp_path, plots=False, rounds=2)
    assert manifest_of(tmp_path)["status"] == "success"
    assert len(result.rounds) == 2
    counted = result.stakeholders[["unknown_items", "duplicates", "omissions", "malformed", "empty", "refusals"]]
    wrong = int(counted.sum().sum() + result.stakeholders[["timeouts", "errors"]].sum().sum())
    quiet = fault == "none" or (way == "weigh" and fault in ("unknown_item", "duplicate", "omit"))
    assert (wrong == 0) == quiet  # who weighs writes no lists that could be spoiled


def test_an_interrupt_inside_a_stakeholder_cancels_the_run_and_keeps_the_finished_rounds(tmp_path: Path) -> None:
    scenario = load_scenario(LETTERS, ["stakeholders.0.agent=./odd.py:Interrupts"])
    with pytest.raises(KeyboardInterrupt):
        run(scenario, out=tmp_path, plots=False)
    assert manifest_of(tmp_path)["status"] == "cancelled"
    (folder,) = tmp_path.iterdir()
    assert read_run(folder).rounds["round"].tolist() == [1]
    assert len(run(LETTERS).rounds) == 3  # and the next run is none the worse for it


def test_a_failure_of_the_run_itself_is_an_error_in_the_manifest(tmp_path: Path) -> None:
    def watch(record: object) -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        run(LETTERS, out=tmp_path, plots=False, watch=watch)
    manifest = manifest_of(tmp_path)
    assert (manifest["status"], manifest["error"]) == ("error", "OSError: disk full")


def test_a_killed_run_can_be_read_up_to_its_last_round(tmp_path: Path) -> None:
    code = (
        "import sys, simulator as fa\n"
        "s = fa.load_scenario(sys.argv[1], ['stakeholders.0.agent=llm', 'stakeholders.0.tools=[]', 'rounds=500'],"
        " model='fake(delay=0.02)')\n"
        "fa.run(s, out=sys.argv[2], plots=False)"
    )
    running = subprocess.Popen([sys.executable, "-c", code, str(TALKERS), str(tmp_path)])
    try:
        until = time.monotonic() + 30
        while time.monotonic() < until:
            found = list(tmp_path.glob("*/rounds.csv"))
            if found and found[0].read_text().count("\n") > 3:
                break
            time.sleep(0.05)
    finally:
        running.send_signal(signal.SIGKILL)
        running.wait()
    (folder,) = tmp_path.iterdir()
    killed = read_run(folder)
    done = len(killed.rounds)
    assert done >= 3
    assert killed.manifest["status"] == "started"
    assert killed.stakeholders["round"].tolist() == [number for number in range(1, done + 1) for _ in range(2)]
    assert {event["round"] for event in killed.events()} >= set(range(1, done + 1))
    journal = (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    assert len([json.loads(line) for line in journal[:-1]]) >= 2 * done


KEY = "sk-marker-0123456789"


@pytest.mark.parametrize("fault", ["none", "error"])
@pytest.mark.parametrize(
    "model",
    [
        "openai(model=small, base_url={url}, retries=0)",
        "{{provider: autogen_ext.models.openai.OpenAIChatCompletionClient, config: {{model: small, base_url: '{url}', "
        "api_key: sk-marker-0123456789, max_retries: 0, model_info: {{vision: false, function_calling: false, "
        "json_output: true, family: unknown, structured_output: true}}}}}}",
    ],
    ids=["by name", "as a component"],
)
def test_no_key_is_anywhere_in_the_run_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, fault: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with OpenAIServer(fault=fault) as server:
        scenario = load_scenario(TALKERS, [f"model={model.format(url=server.base_url)}", "rounds=1"])
        run(scenario, out=tmp_path, plots=False)
        assert set(server.keys) == {f"Bearer {KEY}"}
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 8
    for path in files:
        assert KEY.encode() not in path.read_bytes(), path.name


def test_foreign_text_is_logged_as_it_is_and_can_be_read_back(tmp_path: Path) -> None:
    scenario = load_scenario(LETTERS, ["stakeholders.0.agent=./odd.py:Shouts"])
    result = run(scenario, out=tmp_path)
    spoken = next(event["argument"] for event in result.events if event.get("stakeholder") == "saver")
    assert spoken.startswith("<script>alert(1)</script>\x1b[31m\x00\u202eevil\nline\ud83d!!!")
    assert b"<script>alert(1)" not in (folder_of(result) / "report.html").read_bytes()


def test_overrides_of_a_loaded_scenario(tmp_path: Path) -> None:
    result = run(load_scenario(LETTERS), rounds=1, seed=9, mediator="nash")
    assert result.rounds["mediator"].tolist() == ["nash"]


def test_prices_give_the_cost_of_the_tokens(tmp_path: Path) -> None:
    prices = "prices={prompt_per_million: 2, completion_per_million: 10}"
    result = run(load_scenario(TALKERS, [prices]), out=tmp_path, plots=False)
    tokens = result.rounds[["prompt_tokens", "completion_tokens"]].sum()
    expected = (2 * tokens["prompt_tokens"] + 10 * tokens["completion_tokens"]) / 1e6
    assert manifest_of(tmp_path)["cost_usd"] == pytest.approx(expected)
