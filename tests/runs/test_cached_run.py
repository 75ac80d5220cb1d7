"""Runs with a response cache and a token budget: the same results, fewer questions, a clear end."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import simulator as fa
from simulator.inputs.yamlfile import InputError
from simulator.models.base import BudgetSpent
from simulator.sweeps import sweep
from simulator.sweeps.grid import grid
from tests.scenario_files import command

TALKERS = Path(__file__).parent.parent / "worlds" / "talkers"
REPRODUCIBLE = ("rounds.csv", "stakeholders.csv", "events.jsonl", "journal.jsonl")


def played(out, **options):
    """Run folder and manifest."""
    path = fa.run(TALKERS, out=out, plots=False, **options).path
    return path, json.loads((path / "manifest.json").read_bytes())


def bytes_of(folder):
    """Lines of the journal come in the order in which replies do."""
    return [sorted((folder / name).read_bytes().splitlines()) for name in REPRODUCIBLE]


@pytest.mark.parametrize("model", ["fake(way=weigh)", "fake(way=listwise)", "fake(fault=omit)"])
def test_results_are_the_same_to_the_byte_without_with_a_cold_and_with_a_warm_cache(tmp_path, model):
    plain, manifest = played(tmp_path / "1", model=model)
    assert not any(key.startswith(("cache", "budget")) for key in manifest)
    cold, cold_manifest = played(tmp_path / "2", model=model, cache=tmp_path / "c")
    warm, warm_manifest = played(tmp_path / "3", model=model, cache=tmp_path / "c")
    assert bytes_of(plain) == bytes_of(cold) == bytes_of(warm)
    assert cold_manifest["cache_hits"] == 0
    assert cold_manifest["cache_misses"] == warm_manifest["cache_hits"] > 0
    assert warm_manifest["cache_misses"] == 0
    for tokens in ("prompt_tokens", "completion_tokens"):
        assert warm_manifest[tokens] == warm_manifest[f"cache_{tokens}"] == manifest[tokens] > 0


def test_a_run_in_memory_uses_the_cache_too(tmp_path):
    first, again = (fa.run(TALKERS, cache=tmp_path / "c") for _ in range(2))
    assert first.events == again.events
    assert first.rounds.equals(again.rounds)


def test_more_rounds_ask_for_the_new_ones_alone(tmp_path):
    played(tmp_path, rounds=2, cache=tmp_path / "c")
    _, manifest = played(tmp_path, rounds=3, cache=tmp_path / "c")
    assert manifest["cache_hits"] > manifest["cache_misses"] > 0


def test_nobody_is_paid_for_what_the_cache_has(tmp_path):
    prices = {"prompt_per_million": 1e6, "completion_per_million": 0}
    scenario = fa.load_scenario(TALKERS, [f"prices={json.dumps(prices)}"])
    costs = []
    for rounds in (1, 1, 2):
        path = fa.run(scenario.replace(rounds=rounds), out=tmp_path, plots=False, cache=tmp_path / "c").path
        manifest = json.loads((path / "manifest.json").read_bytes())
        costs.append((manifest["cost_usd"], manifest["prompt_tokens"]))
    (first, read), (second, _), (third, read_in_two) = costs
    assert (first, second, third) == (read, 0, read_in_two - read)


SLOWLY = "import sys, simulator as fa; fa.run(sys.argv[1], out=sys.argv[2], plots=False, cache=sys.argv[3], model=%r)"


def test_after_a_kill_only_the_rest_is_asked(tmp_path):
    arguments = [
        sys.executable,
        "-c",
        SLOWLY % "fake(delay=0.05)",
        str(TALKERS),
        str(tmp_path / "1"),
        str(tmp_path / "c"),
    ]
    process = subprocess.Popen(arguments)
    until = time.monotonic() + 60
    arrived = 0
    while arrived < 12 and time.monotonic() < until:
        time.sleep(0.02)
        arrived = sum(file.read_bytes().count(b"\n") for file in tmp_path.glob("1/*/journal.jsonl"))
    assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    resumed, manifest = played(tmp_path / "2", model="fake", cache=tmp_path / "c")  # its pace decides no answer
    plain, _ = played(tmp_path / "3", model="fake")
    assert bytes_of(resumed) == bytes_of(plain)
    assert manifest["cache_hits"] >= 12
    assert manifest["cache_misses"] > 0


def test_a_budget_ends_a_run_after_its_last_finished_round(tmp_path):
    whole, manifest = played(tmp_path / "1", budget=10**9)
    assert manifest["status"] == "success"
    assert manifest["budget_spent"] >= manifest["prompt_tokens"] + manifest["completion_tokens"]
    with pytest.raises(BudgetSpent) as stopped:
        played(tmp_path / "2", budget=manifest["budget_spent"] // 2)
    (folder,) = (tmp_path / "2").iterdir()
    assert stopped.value.__notes__ == [f"its finished rounds are in {folder}"]
    ended = json.loads((folder / "manifest.json").read_bytes())
    assert (ended["status"], ended["error"]) == ("error", f"BudgetSpent: {stopped.value}")
    assert ended["budget_tokens"] == manifest["budget_spent"] // 2
    assert 0 < ended["rounds_done"] < manifest["rounds_done"]
    assert ended["cost_usd"] == 0.0
    done = fa.read_run(folder)
    assert list(done.rounds["round"]) == list(range(1, ended["rounds_done"] + 1))
    assert (whole / "rounds.csv").read_bytes().startswith((folder / "rounds.csv").read_bytes())
    assert (whole / "events.jsonl").read_bytes().startswith((folder / "events.jsonl").read_bytes())


def test_a_budget_and_a_cache_get_there_bit_by_bit(tmp_path):
    plain, _ = played(tmp_path / "plain")
    for attempt in range(20):
        try:
            path, manifest = played(tmp_path / str(attempt), cache=tmp_path / "c", budget=600)
            break
        except BudgetSpent:
            continue
    assert 1 < attempt < 19
    assert bytes_of(path) == bytes_of(plain)
    assert manifest["cache_hits"] > manifest["cache_misses"]


def test_the_command_says_in_one_message_why_it_stopped(tmp_path, capsys):
    options = ["--no-plots", "--out", tmp_path / "out", "--cache", tmp_path / "c", "--budget", "500"]
    code, _, said = command(capsys, "run", TALKERS, *options)
    (folder,) = (tmp_path / "out").iterdir()
    stopped, kept = said.splitlines()[-2:]
    assert code == 1
    assert stopped.startswith("the run was stopped: the budget of 500 tokens is used up: ")
    assert kept == f"its finished rounds are in {folder}"
    assert (tmp_path / "c").is_file()


def test_the_environment_may_name_the_cache_for_the_command_alone(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("FAIRAGENTS_CACHE", str(tmp_path / "c"))
    fa.run(TALKERS, rounds=1)
    assert not (tmp_path / "c").exists()
    assert command(capsys, "run", TALKERS, "--no-plots", "--out", tmp_path / "out", "--rounds", 1)[0] == 0
    assert (tmp_path / "c").exists()
    command(capsys, "run", TALKERS, "--no-plots", "--out", tmp_path / "out", "--rounds", 1, "--cache", tmp_path / "d")
    assert (tmp_path / "d").exists()


def test_a_wrong_cache_or_budget_is_wrong_input_before_anything_is_written(tmp_path, capsys):
    (tmp_path / "c").write_text("no cache\n")
    out = ["--out", tmp_path / "out"]
    code, _, said = command(capsys, "run", TALKERS, *out, "--cache", tmp_path / "c")
    line = f"cache {tmp_path / 'c'}: is no response cache, or a damaged one; name another file, or delete it"
    assert (code, said.splitlines()[-1]) == (2, line)
    assert command(capsys, "run", TALKERS, *out, "--budget", "0")[0] == 2
    assert not (tmp_path / "out").exists()


def test_cells_of_a_sweep_share_one_cache(tmp_path):
    rules = grid(mediators=["borda", "copeland"])
    done = sweep(TALKERS, rules, out=tmp_path / "s", jobs=1, cache=tmp_path / "c", rounds=1)
    first, second = (json.loads((run / "manifest.json").read_bytes()) for run in done.runs)
    assert first["cache_hits"] == 0
    assert second["cache_hits"] > 0  # what is proposed before any outcome is known
    with pytest.raises(InputError):
        sweep(TALKERS, rules, out=tmp_path / "t", cache=tmp_path)
    assert not (tmp_path / "t").exists()
