"""`fairagents llmfosa train|evaluate|run|methods` from the outside."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from simulator.cli import main  # noqa: E402

CSV = ["--preset", "csv", "--annotations", "independent(personas=3)"]


@pytest.fixture
def fairagents(capsys):
    """Exit code, output and errors of a command."""

    def call(*arguments):
        with pytest.raises(SystemExit) as stopped:
            main(["llmfosa", *map(str, arguments)])
        told = capsys.readouterr()
        return stopped.value.code or 0, told.out, told.err

    return call


@pytest.fixture(scope="module")
def model(folder, settings, tmp_path_factory):
    """A model folder of LLMFOSA."""
    out = tmp_path_factory.mktemp("trained") / "model"
    with pytest.raises(SystemExit) as stopped:
        main(["llmfosa", "train", *CSV, "--data", str(folder), *settings, "--out", str(out), "--seed", "3"])
    assert not stopped.value.code
    return out


def test_train_tells_its_stages_and_ends_with_the_folder(fairagents, folder, settings, tmp_path):
    out = tmp_path / "model"
    command = ["train", *CSV, "--data", folder, *settings, "--out", out, "--method", "fairmi", "--fairness", "0.3"]
    code, said, errors = fairagents(*command)
    assert code == 0
    assert said.splitlines()[-1] == str(out)
    for stage in ("pretraining", "sensitive", "fair"):
        assert f"{stage}: epoch " in said
    assert f"fairagents llmfosa evaluate {out} --data {folder}" in errors
    about = json.loads((out / "model.json").read_text(), parse_constant=pytest.fail)
    assert (about["method"], about["fairness"], about["seed"], about["off"]) == ("fairmi", 0.3, 0, [])
    first = (out / "model.npz").read_bytes()
    code, said, _ = fairagents(*command)  # all is done: nothing is trained, the same comes out
    assert code == 0
    assert "1/4" not in said
    assert (out / "model.npz").read_bytes() == first


def test_training_computes_on_one_thread_as_experiments_do(fairagents, folder, settings, tmp_path):
    torch.set_num_threads(2)
    fairagents("train", *CSV, "--data", folder, *settings, "--method", "bpr", "--out", tmp_path / "m")
    assert torch.get_num_threads() == 1


def test_a_figure_that_is_no_number_is_null(fairagents, folder, model, monkeypatch):
    monkeypatch.setattr("simulator.llmfosa.experiment.evaluate.evaluate", lambda *_, **__: ({"ece": np.nan}, None))
    code, said, _ = fairagents("evaluate", model, "--data", folder, "--json")
    assert (code, json.loads(said)) == (0, {"ece": None})


def test_evaluate_as_table_and_as_json(fairagents, folder, model):
    code, said, _ = fairagents("evaluate", model, "--data", folder)
    assert code == 0
    assert "llmfosa on csv, groups by group" in said
    assert "ndcg_untruncated@10" in said
    code, said, _ = fairagents("evaluate", model, "--data", folder, "--json")
    figures = json.loads(said, parse_constant=pytest.fail)
    assert {
        *(f"{name}@10" for name in ("ndcg", "ndcg_untruncated", "recall", "hit", "dp", "eo", "dp_floor", "eo_floor")),
        *("ndcg_gap@30", "auc_logistic", "auc_mlp"),
        *("attribute_auc", "attribute_accuracy", "attribute_ece", "attribute_brier", "confusion_error"),
    } <= set(figures)
    assert all(value is None or np.isfinite(value) for value in figures.values())


def test_what_train_and_run_do_is_the_same(fairagents, folder, settings, model, tmp_path):
    code, said, _ = fairagents(
        "run", *CSV, "--data", folder, *settings, "--out", tmp_path / "out", "--methods", "llmfosa", "--seeds", "3,",
        "--no-plots", "--json",
    )  # fmt: skip
    assert code == 0
    row = json.loads(said, parse_constant=pytest.fail)
    assert (row["method"], row["weight"], row["seed"]) == ("llmfosa", 0.1, 3)
    figures = json.loads(fairagents("evaluate", model, "--data", folder, "--json")[1])
    assert figures == {name: row[name] for name in figures}
    assert {"seconds", "epochs", "peak_mb"} <= set(row)


@pytest.mark.slow
def test_run_shows_each_cell_the_table_and_the_folder(fairagents, folder, settings, tmp_path):
    out = tmp_path / "out"
    command = [
        "run",
        *CSV,
        "--data",
        folder,
        *settings,
        "--out",
        out,
        "--methods",
        "bpr,majority_fairmi",
        "--seeds",
        "2",
    ]
    code, said, _ = fairagents(*command, "--weights", "0.1,0.5")
    assert code == 0
    assert said.splitlines()[-1] == str(out)
    assert "1/6 bpr seed 0: " in said
    assert "majority_fairmi weight 0.5 seed 1: " in said
    assert "| majority_fairmi | 0.5 |" in said
    assert {"results.csv", "results.md", "results.tex"} <= set(os.listdir(out))
    assert {"front.png", "roc.png"} <= set(os.listdir(out / "figures"))


@pytest.mark.slow
def test_a_bridge_is_a_scenario_that_is_checked_and_run(fairagents, capsys, folder, model, tmp_path):
    bridge = tmp_path / "bridge"
    code, said, _ = fairagents("evaluate", model, "--data", folder, "--bridge", bridge)
    assert code == 0
    scenario = said.splitlines()[-1]
    assert scenario == str(bridge / "scenario.yaml")
    for command in (
        ["check", scenario],
        ["run", scenario, "--model", "none", "--rounds", "1", "--out", tmp_path / "r"],
    ):
        with pytest.raises(SystemExit) as stopped:
            main([str(part) for part in command])
        assert not stopped.value.code, capsys.readouterr().err
    capsys.readouterr()
    code, said, errors = fairagents("evaluate", model, "--data", folder, "--json", "--bridge", tmp_path / "other")
    json.loads(said)  # nothing else stands there
    assert str(tmp_path / "other") in errors
    assert "holds something else" in fairagents("evaluate", model, "--data", folder, "--bridge", bridge)[2]


def test_a_model_that_believes_nothing_has_no_bridge(fairagents, folder, settings, tmp_path):
    fairagents("train", *CSV, "--data", folder, *settings, "--method", "bpr", "--out", tmp_path / "m")
    code, _, errors = fairagents("evaluate", tmp_path / "m", "--data", folder, "--bridge", tmp_path / "b")
    assert code == 2
    assert "believes something of the attribute" in errors
    assert not (tmp_path / "b").exists()


def test_methods_lists_what_each_may_see_and_every_term(fairagents):
    from simulator.llmfosa.methods import METHODS
    from simulator.llmfosa.training.plan import TERMS

    code, said, _ = fairagents("methods")
    assert code == 0
    lines = {line.split()[0]: line for line in said.splitlines() if line.strip()}
    assert set(METHODS) | set(TERMS) <= set(lines)
    assert "true labels" in lines["fairmi"]
    assert "annotations" in lines["llmfosa"]
    assert "nothing" in lines["bpr"]


@pytest.mark.parametrize("command", ["train", pytest.param("run", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (["--preset", "sinthetic"], "--preset sinthetic"),
        (["--preset", "ml-1m"], "--data"),
        (["--preset", "ml-1m", "--data", "/no/such/folder"], "is no folder"),
        (["--attribute", "age"], "--attribute age: synthetic knows these: group"),
        (["--annotations", "independant"], "neither a folder nor simulated"),
        (["--annotations", "shared(rho=7)"], "rho must be in [0, 1]"),
        (["--off", "similarty"], "--off similarty: no term 'similarty'; did you mean 'similarity'?"),
        (["--off", "similarity", "--set", "sensitive.similarity=-1"], "--set: sensitive.similarity is -1"),
        (["--set", "fair.epochs"], "should be KEY=VALUE, such as fair.epochs=3"),
        (["--set", "fair.epoch=3"], "did you mean 'fair.epochs'?"),
        (["--set", "fair.epochs=[3"], "is no value"),
        (["--set", "fair.epochs=2020-99-99"], "is no value"),
        (["--set", "fair.epochs=2020-09-09"], "should be a number"),
        (["--set", "fair.epochs=.inf"], "finite"),
        (["--set", "fair.against=clubs"], "should be one of club"),
        (["--device", "gpu7"], "--device gpu7"),
        (["--device", "cuda:99"], "--device cuda:99"),
        (["--hidden", "nan"], "hidden"),
        (["--hidden", "0.95"], "hidden"),
    ],
)
def test_wrong_input_is_one_clear_message(fairagents, tmp_path, command, extra, message):
    code, _, errors = fairagents(command, "--out", tmp_path / "out", *extra)
    assert code == 2
    assert message in errors
    assert "Traceback" not in errors
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("command", "extra", "message"),
    [
        ("train", ["--method", "fairmy"], "--method fairmy: no method 'fairmy'; did you mean 'fairmi'?"),
        ("train", ["--fairness", "-1"], "fairness"),
        ("train", ["--fairness", "nan"], "fairness"),
        ("train", ["--fairness", "inf"], "--fairness inf"),
        ("train", ["--seed", "-1"], "seed"),
        ("run", ["--methods", "bpr,fairmy"], "did you mean 'fairmi'?"),
        ("run", ["--methods", ""], "no method ''"),
        ("run", ["--seeds", "two"], "--seeds two: should be numbers"),
        ("run", ["--seeds", "1,-2"], "at least 0"),
        ("run", ["--seeds", "0"], "how many seeds"),
        ("run", ["--seeds", "20260101"], "how many seeds"),
        ("run", ["--weights", "0.1,much"], "--weights 0.1,much"),
        ("run", ["--weights", "nan"], "at least 0"),
        ("run", ["--weights", "0.1,inf"], "at least 0"),
        ("run", ["--weights", "0.1,0.10000001"], "agree in six digits"),
        ("run", ["--jobs", "0"], "jobs"),
    ],
)
def test_wrong_options_of_one_command(fairagents, tmp_path, command, extra, message):
    code, _, errors = fairagents(command, "--out", tmp_path / "out", *extra)
    assert code == 2
    assert message in " ".join(errors.split())
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ["train", "run"])
def test_a_folder_of_something_else_is_left_alone(fairagents, tmp_path, command):
    (tmp_path / "thesis.txt").write_text("mine")
    for out in (tmp_path, tmp_path / "thesis.txt"):
        code, _, errors = fairagents(command, "--out", out)
        assert code == 2
        assert "holds something else; name a new or empty folder" in errors
    assert os.listdir(tmp_path) == ["thesis.txt"]


def test_a_training_that_diverges_says_what_to_do(fairagents, folder, settings, tmp_path):
    code, _, errors = fairagents(
        "train", *CSV, "--data", folder, *settings, "--out", tmp_path / "m", "--set", "pretraining.learning_rate=1e30"
    )
    assert code == 1
    assert "lower the learning rate" in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize("missing", ["torch", "sklearn"])
@pytest.mark.parametrize("command", [["train", "--out", "m"], ["run", "--out", "m"], ["evaluate", "m"], ["methods"]])
def test_without_the_extra_it_says_how_to_install_it(fairagents, monkeypatch, missing, command):
    monkeypatch.setitem(sys.modules, missing, None)
    code, _, errors = fairagents(*command)
    assert code == 2
    assert 'pip install "fair-agents[llmfosa]"' in errors


def rewrite(model, tmp_path, **changes):
    """A copy of the model folder whose description says something else; None takes it away."""
    about = json.loads((model / "model.json").read_text())
    told = {name: value for name, value in {**about, **changes}.items() if value is not None}
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "model.json").write_text(json.dumps(told))
    (copy / "model.npz").write_bytes((model / "model.npz").read_bytes())
    return copy


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"preset": None}, "damaged description"),
        ({"seed": "three"}, "damaged description"),
        ({"split_seed": [1]}, "damaged description"),
        ({"attribute": "age"}, "damaged description"),
        ({"preset": "synthetic", "attribute": "group"}, "was trained on other data"),
        ({"preset": "ml-2m"}, "there is no such preset"),
    ],
)
def test_a_description_that_does_not_fit_is_named(fairagents, folder, model, tmp_path, changes, message):
    code, _, errors = fairagents("evaluate", rewrite(model, tmp_path, **changes), "--data", folder)
    assert code == 2
    assert message in errors


def test_a_model_outlives_its_annotations(fairagents, folder, model, tmp_path):
    forgotten = rewrite(model, tmp_path, annotations="gone")
    code, told, errors = fairagents("evaluate", forgotten, "--data", folder, "--json")
    assert code == 0
    assert "confusion_error is left out" in errors
    assert "confusion_error" not in json.loads(told)


def test_evaluate_says_what_is_wrong_with_the_data_and_the_folder(fairagents, model, tmp_path):
    assert "--data: name the folder" in fairagents("evaluate", model)[2]
    code, _, errors = fairagents("evaluate", model, "--data", tmp_path / "gone")
    assert code == 2
    assert "is no folder" in errors
    assert "damaged" not in errors
    code, _, errors = fairagents("evaluate", tmp_path)
    assert code == 2
    assert "is no model" in errors


def killed_when(started, ready):
    """Kill a process as soon as `ready`, while it is running; what it had started ends by itself."""
    until = time.monotonic() + 120
    while time.monotonic() < until and started.poll() is None and not ready():
        time.sleep(0.005)
    assert started.poll() is None, started.communicate()
    children = children_of(started.pid)
    started.kill()
    started.communicate()
    until = time.monotonic() + 20
    while any(map(runs, children)) and time.monotonic() < until:
        time.sleep(0.02)
    left = [pid for pid in children if runs(pid)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not left
    return len(children)


def children_of(parent):
    """Ids of the processes that a process has started; none where there is no list of processes."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else ()):
        try:
            with open(f"/proc/{entry}/stat") as file:
                if int(file.read().rpartition(")")[2].split()[1]) == parent:
                    found.append(int(entry))
        except OSError:  # it has ended
            continue
    return found


def runs(pid):
    """Whether it is there and not only waiting to be buried."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def start(*arguments):
    code = "import sys; from simulator.cli import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", code, "llmfosa", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no such signal")
def test_train_after_a_kill_ends_with_the_same_model(fairagents, folder, settings, tmp_path):
    command = ["train", *CSV, "--data", folder, *settings, "--set", "fair.epochs=200", "--set", "fair.patience=200"]
    assert fairagents(*command, "--out", tmp_path / "whole")[0] == 0
    out = tmp_path / "killed"
    killed_when(start(*command, "--out", out), lambda: list(out.glob("checkpoints/*/fair.pt")))
    assert not (out / "model.json").exists()
    code, said, _ = fairagents(*command, "--out", out)
    assert code == 0
    assert "pretraining 4/4" not in said
    assert "fair 2/200" not in said  # it went on where it was
    assert (out / "model.npz").read_bytes() == (tmp_path / "whole/model.npz").read_bytes()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no such signal")
@pytest.mark.parametrize("jobs", [1, 2])
def test_run_after_a_kill_ends_with_the_same_and_trains_no_finished_cell_again(
    fairagents, folder, settings, tmp_path, jobs
):
    command = ["run", *CSV, "--data", folder, *settings, "--methods", "bpr,fairmi,llmfosa", "--seeds", "2", "--json"]
    command += ["--no-plots"]
    whole = fairagents(*command, "--out", tmp_path / "whole")[1]
    out = tmp_path / "killed"
    started = start(*command, "--jobs", jobs, "--out", out)
    children = killed_when(started, lambda: len(list(out.glob("cells/*.json"))) >= 2)
    assert children >= jobs or jobs == 1 or not os.path.isdir("/proc")
    before = {path.name: path.stat().st_mtime_ns for path in out.glob("cells/*.json")}
    assert 2 <= len(before) < 6
    again = fairagents(*command, "--out", out)[1]
    after = {path.name: path.stat().st_mtime_ns for path in out.glob("cells/*.json")}
    assert len(after) == 6
    assert all(after[name] == written for name, written in before.items())

    def told(text):
        rows = [json.loads(line) for line in text.splitlines()]
        return [{name: value for name, value in row.items() if name not in ("seconds", "peak_mb")} for row in rows]

    assert told(again) == told(whole)


def test_where_nothing_can_be_written_is_said_before_anything_is_trained(fairagents, folder, model, tmp_path):
    (tmp_path / "file").write_text("mine")
    below = tmp_path / "file" / "out"
    calls = (
        ("train", *CSV, "--data", folder, "--out", below),
        ("run", *CSV, "--data", folder, "--out", below),
        ("evaluate", model, "--data", folder, "--bridge", below),
    )
    for call in calls:
        code, _, errors = fairagents(*call)
        assert code == 2
        assert "is a file; name a folder" in errors
