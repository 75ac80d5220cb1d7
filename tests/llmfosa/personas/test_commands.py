import json

import pytest

from simulator.cli import main

ASK = ["llmfosa", "infer", "--attribute", "group", "--users", "12", "--model", "fake", "--permission", "a test"]


def fairagents(capsys, *arguments):
    """Exit code, output and errors of the command."""
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in arguments])
    told = capsys.readouterr()
    return stopped.value.code, told.out, told.err


def test_infer_prints_figures_and_the_folder_and_forget_deletes_it(capsys, tmp_path):
    out, cache = tmp_path / "out", tmp_path / "replies.sqlite"
    code, said, errors = fairagents(capsys, *ASK, "--out", out, "--cache", cache)
    assert code == 0
    assert "personal data" in errors
    assert said.splitlines()[-1] == str(out)
    assert "Krippendorff" in said
    assert "would be right for" in said
    assert "labels: 45 of 45" in said
    told = json.loads((out / "manifest.json").read_text())
    assert told["permission"] == "a test"
    code, said, _ = fairagents(capsys, "llmfosa", "forget", out)
    assert code == 0
    assert "annotations.csv" in said
    assert f"deleted {told['answers']['all']} replies" in said
    assert not out.exists()


def test_without_a_reason_nothing_is_inferred(capsys, tmp_path):
    code, _, errors = fairagents(capsys, *ASK[:-2], "--out", tmp_path / "out")
    assert code == 2
    assert "--permission" in errors
    assert not (tmp_path / "out").exists()


def test_a_spent_budget_says_how_to_go_on(capsys, tmp_path):
    code, _, errors = fairagents(capsys, *ASK, "--out", tmp_path / "out", "--budget", "700")
    assert code == 1
    assert "larger --budget" in errors
    assert fairagents(capsys, *ASK, "--out", tmp_path / "out")[0] == 0


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (["--editor", "shiped"], "shipped"),
        (["--summaries", "short"], "composed"),
        (["--prior", "a"], "VALUE=SHARE"),
        (["--prior", "a=0.5,c=0.5"], "needs a share"),
        (["--preset", "ml-100k"], "--data"),
        (["--model", "fack"], "fake"),
        (["--personas", "77"], "ask for fewer"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(capsys, tmp_path, extra, message):
    code, _, errors = fairagents(capsys, *ASK, "--out", tmp_path / "out", *extra)
    assert code == 2
    assert message in errors
    assert "Traceback" not in errors


def test_forget_refuses_what_is_no_inference(capsys, tmp_path):
    code, _, errors = fairagents(capsys, "llmfosa", "forget", tmp_path)
    assert code == 2
    assert "no inference folder" in errors
