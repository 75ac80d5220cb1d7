import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from simulator.inputs.yamlfile import InputError
from simulator.llmfosa.personas import infer
from simulator.llmfosa.personas.record import Record
from simulator.models.base import BudgetSpent
from tests.llmfosa.personas.viewers import scripted, taste, viewers

FILES = ("annotations.csv", "summaries.csv", "probabilities.csv")


def judged(out, model, **options):
    return infer(viewers(), "gender", permission="a test", personas=2, out=out, model=model, **options)


def test_a_finished_inference_asks_nothing_again(tmp_path):
    judged(tmp_path / "out", scripted()[0])
    before = [(tmp_path / "out" / name).read_bytes() for name in FILES]
    again, client = scripted()
    judged(tmp_path / "out", again)
    assert client.prompts == []
    assert [(tmp_path / "out" / name).read_bytes() for name in FILES] == before
    assert json.loads((tmp_path / "out/manifest.json").read_text())["answers"]["new_in_this_run"] == 0


def test_a_budget_that_is_spent_keeps_what_was_answered(tmp_path):
    whole, all_of_it = scripted()
    judged(tmp_path / "whole", whole)
    first, one = scripted()
    with pytest.raises(BudgetSpent):
        judged(tmp_path / "out", first, budget=1500)
    assert 0 < len(one.prompts) < len(all_of_it.prompts)
    second, two = scripted()
    judged(tmp_path / "out", second, budget=100_000)
    assert len(one.prompts) + len(two.prompts) == len(all_of_it.prompts)
    assert sorted(one.prompts + two.prompts) == sorted(all_of_it.prompts)
    for name in FILES:
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_line_that_a_kill_cut_short_is_asked_again(tmp_path):
    judged(tmp_path / "out", scripted()[0])
    record = tmp_path / "out/answers.jsonl"
    record.write_bytes(record.read_bytes()[:-20])
    again, client = scripted()
    judged(tmp_path / "out", again)
    assert len(client.prompts) == 1
    assert all(json.loads(line) for line in record.read_bytes().splitlines())


def test_lines_that_somebody_damaged_are_asked_again(tmp_path):
    judged(tmp_path / "out", scripted()[0])
    record = tmp_path / "out/answers.jsonl"
    lines = record.read_bytes().splitlines(keepends=True)
    lines[1], lines[2] = b'{"key": 1}\n', b"\xff\x00" + b"[" * 9999 + b"\n"
    scores, sentence = (json.loads(lines[place]) for place in (3, -1))
    assert isinstance(scores["value"], list)
    assert isinstance(sentence["value"], str)
    lines[3] = json.dumps({**scores, "value": "many"}).encode() + b"\n"
    lines[4] = json.dumps({**json.loads(lines[4]), "faults": 7}).encode() + b"\n"
    lines[-1] = json.dumps({**sentence, "value": "word " * 99 + "\x1b[2J"}).encode() + b"\n"
    record.write_bytes(b"".join(lines))
    again, client = scripted()
    judged(tmp_path / "out", again)
    assert len(client.prompts) == 5


def test_failures_of_the_connection_are_asked_again_and_wrong_answers_are_not(tmp_path):
    def fail(prompt, phrase):
        if "critic" in prompt or "statistician" in prompt:
            raise ConnectionError("gone")
        return taste(prompt, phrase)

    judged(tmp_path / "out", scripted(score=fail)[0], rationales=False)
    again, client = scripted()
    judged(tmp_path / "out", again, rationales=False)
    assert len(client.prompts) == 12 + 3
    judged(tmp_path / "faulty", scripted(lambda _: "}{")[0])
    broken, asked = scripted(lambda _: "}{")
    judged(tmp_path / "faulty", broken)
    assert asked.prompts == []


def test_the_response_cache_answers_another_folder(tmp_path):
    judged(tmp_path / "one", scripted()[0], cache=tmp_path / "replies.sqlite")
    other, client = scripted()
    judged(tmp_path / "two", other, cache=tmp_path / "replies.sqlite")
    assert client.prompts == []
    assert (tmp_path / "one/annotations.csv").read_bytes() == (tmp_path / "two/annotations.csv").read_bytes()


def test_another_question_in_the_same_folder_is_refused(tmp_path):
    judged(tmp_path / "out", scripted()[0])
    with pytest.raises(InputError, match="name another folder, or forget it"):
        infer(viewers(), "sex", values=("M", "F"), permission="a test", out=tmp_path / "out", model="fake")


def test_a_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(InputError, match="other files"):
        judged(tmp_path, scripted()[0])
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_two_processes_do_not_write_into_one_folder(tmp_path):
    judged(tmp_path / "out", scripted()[0])
    with (
        Record(tmp_path / "out/answers.jsonl"),
        pytest.raises(InputError, match="being written by another inference"),
    ):
        judged(tmp_path / "out", scripted()[0])
    judged(tmp_path / "out", scripted()[0])


_RUN = """
import sys
from simulator.llmfosa.personas import infer
from tests.llmfosa.personas.viewers import scripted, viewers
model, client = scripted(delay=0.01)
infer(viewers(), "gender", permission="a test", personas=2, out=sys.argv[1], model=model, at_once=2)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills by a signal")
def test_a_killed_process_goes_on_where_it_was(tmp_path):
    judged(tmp_path / "whole", scripted()[0])
    root = Path(__file__).parents[3]
    record = tmp_path / "out/answers.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-c", _RUN, str(tmp_path / "out")],
        env={**os.environ, "PYTHONPATH": str(root)},
        cwd=root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while (not record.exists() or record.read_bytes().count(b"\n") < 5) and time.monotonic() < deadline:
        time.sleep(0.005)
    process.kill()
    process.wait()
    done = record.read_bytes().count(b"\n")
    assert done >= 5
    model, client = scripted()
    judged(tmp_path / "out", model)
    assert len(client.prompts) == (tmp_path / "whole/answers.jsonl").read_bytes().count(b"\n") - done
    for name in FILES:
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
