"""A person at the terminal, played by a script on standard input."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from agents.terminal import Unreadable, read_ranking
from simulator.profile import Ranking
from simulator.table import Candidates

ASKED = [
    sys.executable, "-c", "from simulator.cli import main; main()", "run",
    "tests/worlds/letters", "--model", "none", "--no-plots", "--set",
    "stakeholders.saver.agent=human", "--set", "metrics=[utility]",
]  # fmt: skip


def run(script: str, out: Path, *settings: str) -> tuple[subprocess.CompletedProcess[str], Path]:
    command = [*ASKED, *settings, "--out", str(out)]
    done = subprocess.run(command, input=script, text=True, capture_output=True, timeout=60, check=False)
    return done, Path(done.stdout.strip().splitlines()[-1])


def events(folder: Path, kind: str) -> pd.DataFrame:
    lines = pd.read_json(folder / "events.jsonl", lines=True)
    return lines[(lines.event == kind) & (lines.stakeholder == "saver")]


def test_a_run_is_driven_by_a_script(tmp_path: Path) -> None:
    done, folder = run("2, 1 = 3\nI like it\ny\n\n\nn\n3\n\n", tmp_path, "--rounds", "2")
    assert done.returncode == 0, done.stderr
    assert "suggested: " in done.stderr
    assert "do you accept? [y/n]" in done.stderr
    said = events(folder, "proposal")
    ids = pd.read_csv("tests/worlds/letters/items.csv")["item"].tolist()
    assert said.iloc[0]["ranking"] == [[ids[1]], [ids[0], ids[2]]]
    assert said.iloc[0]["argument"] == "I like it"
    answers = events(folder, "response")["verdict"].tolist()
    assert answers[:2] == ["accept", "revise"]
    assert said[(said["round"] == 2) & (said["turn"] == 2)]["ranking"].tolist() == [[[ids[2]]]]


def test_the_end_of_input_is_an_abstention_and_the_run_goes_on(tmp_path: Path) -> None:
    done, folder = run("", tmp_path, "--rounds", "1")
    assert done.returncode == 0, done.stderr
    assert events(folder, "proposal").iloc[0]["ranking"] == []
    assert events(folder, "response").iloc[0]["verdict"] == "revise"


@pytest.mark.slow
def test_what_cannot_be_read_is_asked_again_with_a_remedy(tmp_path: Path) -> None:
    done, folder = run("nonsense\n99\n1, 1\n", tmp_path, "--rounds", "1")
    assert "'nonsense' is no candidate and no number from 1 to" in done.stderr
    assert "stands there twice" in done.stderr
    assert "no ranking is taken" in done.stderr
    assert events(folder, "proposal").iloc[0]["ranking"] == []


def test_a_ranking_is_read_by_number_or_name_with_ties() -> None:
    candidates = Candidates(("Rome", "Oslo", "2"), (), np.empty((0, 3)), np.empty((0, 3)))
    assert read_ranking("oslo = 1, 2", candidates) == Ranking((("Oslo", "Rome"), ("2",)))  # a name goes before a number
    for wrong in ("Rom", "0", "4", "Rome, 1", "Rome,,Oslo", "²"):
        with pytest.raises(Unreadable):
            read_ranking(wrong, candidates)
