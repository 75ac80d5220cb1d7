"""The tables of a finished run, reckoned again from its log."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import simulator as fa
from simulator.inputs.yamlfile import InputError
from simulator.runs.read import read_run
from simulator.studies.jury_cases import outcomes_of
from simulator.studies.outcomes import delivered_rounds

TALKERS = "tests/worlds/talkers"


def played(tmp_path: Path, scenario: str = TALKERS, rounds: int = 4) -> Path:
    path = fa.run(scenario, rounds=rounds, model="none", out=tmp_path, plots=False).path
    assert path is not None
    return path


@pytest.mark.parametrize("scenario", ["tourism", "education", TALKERS])
def test_utilities_are_those_that_the_run_logged(scenario, tmp_path):
    folder = played(tmp_path, scenario)
    run, loaded = read_run(folder), fa.load_scenario(folder, code=False)
    slates = dict(zip(run.rounds["round"], run.rounds["slate"], strict=True))
    rounds = list(delivered_rounds(loaded, run.events("request"), slates))
    logged = run.by_stakeholder("utility").to_numpy()
    np.testing.assert_allclose(np.array([each.served for each in rounds]), logged, rtol=0, atol=1e-12)
    assert [each.round for each in rounds] == [1, 2, 3, 4]


def test_a_catalogue_that_was_changed_after_the_run_gives_no_standing(tmp_path):
    folder = played(tmp_path)
    (path,) = (folder / "inputs").glob("*items.csv")
    head, *lines = path.read_text().splitlines()
    names, rest = zip(*(line.split(",", 1) for line in lines), strict=True)
    path.write_text("\n".join([head, *map(",".join, zip(names, reversed(rest), strict=True))]))
    found = outcomes_of(fa.load_scenario(folder, code=False), read_run(folder))
    assert found.unlike > 0
    assert (found.stated == -1).sum() >= found.unlike


def test_a_round_that_was_not_finished_is_no_outcome(tmp_path):
    folder = played(tmp_path)
    lines = (folder / "rounds.csv").read_text().splitlines(keepends=True)
    (folder / "rounds.csv").write_text("".join(lines[:-1]))
    found = outcomes_of(fa.load_scenario(folder, code=False), read_run(folder))
    assert set(found.rounds.tolist()) == {1, 2, 3}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"candidates": ["a", "Atlantis"]}, "the catalogue does not have"),
        ({"candidates": "a"}, "the catalogue does not have"),
        ({"candidates": [["a"], {}]}, "the catalogue does not have"),
        ({"request": ["no", "request"]}, "is not known"),
        ({"candidates": ["a"]}, "not on the table"),
    ],
)
def test_a_log_that_was_tampered_with_is_refused_in_one_line(change, told, tmp_path):
    folder = played(tmp_path, rounds=1)
    events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    events[0] |= change
    (folder / "events.jsonl").write_text("".join(json.dumps(event, separators=(",", ":")) + "\n" for event in events))
    with pytest.raises(InputError, match=told):
        outcomes_of(fa.load_scenario(folder, code=False), read_run(folder))


def test_code_of_a_run_is_not_imported(tmp_path):
    folder = played(tmp_path, rounds=1)
    text = (folder / "scenario.yaml").read_text()
    (folder / "evil.py").write_text("raise SystemExit('it ran')")
    (folder / "scenario.yaml").write_text(text.replace("- crowding(decay=0.5)", "- ./evil.py:Evil"))
    with pytest.raises(InputError, match="code of its own"):
        outcomes_of(fa.load_scenario(folder, code=False), read_run(folder))
