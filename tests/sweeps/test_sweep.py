"""A grid of runs: its cells, what they leave, and what a failing one does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from simulator.inputs.yamlfile import InputError
from simulator.sweeps import read_sweep, sweep
from simulator.sweeps.grid import grid, parse_seeds
from tests.scenario_files import command

LETTERS = "tests/worlds/letters"
LEAVING = """
from agents.base import Stakeholder

class Leaving(Stakeholder):
    async def propose(self, table):
        raise SystemExit(3)
"""
DYING = """
import os
from agents.base import Stakeholder

class Dying(Stakeholder):
    async def propose(self, table):
        os._exit(9)
"""


def test_cells_are_every_combination_with_the_last_axis_fastest() -> None:
    cells = grid(["borda", "mes(completion=none)"], ["k=[1, 2]", "tie=[seeded]"], [4, 5]).cells
    assert [cell.number for cell in cells] == list(range(1, 9))
    assert cells[1].values == {"mediator": "borda", "k": "1", "tie": "seeded", "seed": 5}
    assert cells[-1].name == "0008"


@pytest.mark.parametrize(("text", "seeds"), [("3", [3]), ("1-3,7", [1, 2, 3, 7]), ("0", [0])])
def test_seeds_are_numbers_and_ranges(text: str, seeds: list[int]) -> None:
    assert parse_seeds(text) == seeds


@pytest.mark.parametrize("text", ["", "a", "3-1", "-1", "1-", "1.5", "1-999999999"])
def test_what_is_no_seed_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_seeds(text)


@pytest.mark.parametrize(
    ("axes", "message"),
    [
        ({"vary": ["k=3"]}, r"needs KEY=\[VALUE, VALUE\]"),
        ({"vary": ["k=[1, 1]"]}, "the value '1' twice"),
        ({"vary": ["k=[]"]}, "has no values"),
        ({"vary": ["k=[1]", "k=[2]"]}, "'k' is varied already"),
        ({"vary": ["seed=[1]"]}, "is varied by --seeds"),
        ({"vary": ["k=[1"]}, "cannot be read"),
        ({"seeds": list(range(100_001))}, "at most 100000"),
    ],
)
def test_wrong_axes_are_refused_with_a_remedy(axes: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        grid(**axes)


def test_every_cell_has_a_run_folder_that_equals_a_run_alone(tmp_path: Path) -> None:
    done = sweep(LETTERS, grid(["borda", "nash"], ["k=[1, 2]"], [1]), rounds=2, out=tmp_path, jobs=1)
    assert done.manifest["status"] == "success"
    assert done.cells["status"].tolist() == ["success"] * 4
    assert [len(list(run.glob("rounds.csv"))) for run in done.runs] == [1] * 4
    assert list(done.cells.columns) == ["cell", "mediator", "k", "seed", "status", "run", "seconds", "error"]
    from simulator import load_scenario, run

    alone = run(load_scenario(LETTERS, ["k=2"], mediator="nash", seed=1, rounds=2), out=tmp_path / "alone", plots=False)
    assert (done.runs[3] / "events.jsonl").read_bytes() == (alone.path / "events.jsonl").read_bytes()


def test_a_failing_cell_is_recorded_and_the_others_go_on(tmp_path: Path, capsys) -> None:
    given = ["--mediator", "borda,nope", "--rounds", 1, "--jobs", 1, "--out", tmp_path]
    code, printed, _ = command(capsys, "sweep", LETTERS, *given)
    assert code == 1
    folder = Path(printed.splitlines()[-1])
    cells = pd.read_csv(folder / "cells.csv", keep_default_na=False)
    assert cells["status"].tolist() == ["success", "error"]
    assert "there is no mediator 'nope'" in cells["error"][1]
    assert json.loads((folder / "sweep.json").read_text())["status"] == "partial"


@pytest.mark.slow
def test_a_process_that_dies_is_a_failed_cell_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "dying.py").write_text(DYING)
    agents = f"stakeholders.saver.agent=[utility, '{tmp_path}/dying.py:Dying', random]"
    done = sweep(LETTERS, grid(vary=[agents]), rounds=1, out=tmp_path, jobs=2)
    assert done.cells["status"].tolist() == ["success", "error", "success"]
    assert "process died" in done.cells["error"][1]


def test_code_that_wants_to_leave_is_a_failed_cell_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "leaving.py").write_text(LEAVING, encoding="utf-8")
    agents = f"stakeholders.saver.agent=[{tmp_path}/leaving.py:Leaving, utility]"
    done = sweep(LETTERS, grid(vary=[agents]), rounds=1, out=tmp_path, jobs=1)
    assert done.cells["status"].tolist() == ["error", "success"]
    assert done.cells["error"][0] == "SystemExit: 3"


def test_values_stay_as_they_were_written() -> None:
    (cell,) = grid(vary=["stakeholders.saver.objective=[{stars: 0.8, größe: -0.2}]"]).cells
    assert cell.values == {"stakeholders.saver.objective": "{stars: 0.8, größe: -0.2}"}


@pytest.mark.slow
def test_processes_change_nothing_but_the_time(tmp_path: Path) -> None:
    cells = grid(["borda", "nash"], seeds=[1, 2])
    one, two = (sweep(LETTERS, cells, rounds=2, out=tmp_path / str(jobs), jobs=jobs) for jobs in (1, 2))
    for left, right in zip(one.runs, two.runs, strict=True):
        assert (left / "rounds.csv").read_bytes() == (right / "rounds.csv").read_bytes()


WAITING = """
import asyncio
from pathlib import Path
from agents.base import Stakeholder

class Waiting(Stakeholder):
    async def propose(self, table):
        Path(__file__).with_name("begun").touch()
        await asyncio.sleep(60)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, "cancelled"), (signal.SIGKILL, "started")])
def test_a_stopped_sweep_leaves_no_process_behind_and_can_be_read(
    tmp_path: Path, sent: signal.Signals, status: str
) -> None:
    (tmp_path / "waiting.py").write_text(WAITING, encoding="utf-8")
    settings = ["--set", f"stakeholders.saver.agent={tmp_path}/waiting.py:Waiting", "--seeds", "1-6", "--jobs", "2"]
    command = [
        sys.executable,
        "-c",
        "from simulator.cli import main; main()",
        "sweep",
        LETTERS,
        *settings,
        "--out",
        str(tmp_path / "out"),
    ]
    process = subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL)
    until(lambda: (tmp_path / "begun").exists())
    send = os.killpg if sent == signal.SIGINT else os.kill  # Ctrl-C reaches all of them
    send(process.pid, sent)
    process.wait(30)
    until(lambda: not group_lives(process.pid))
    (folder,) = (tmp_path / "out").iterdir()
    left = read_sweep(folder)
    assert left.manifest["status"] == status
    assert left.cells["status"].tolist() == ["waiting"] * 6


def until(holds: Callable[[], bool]) -> None:
    for _ in range(600):
        if holds():
            return
        time.sleep(0.1)
    raise AssertionError("it did not come to that within a minute")


def group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_wrong_scenario_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no mediator"):
        sweep(LETTERS, grid(seeds=[1]), settings=["mediator=nope"], out=tmp_path / "out")
    with pytest.raises(InputError, match="there is no such engine"):
        sweep(LETTERS, grid(seeds=[1]), engine="cloud", out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_is_no_sweep_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no sweep"):
        read_sweep(tmp_path)
    (tmp_path / "sweep.json").write_text("{}")
    (tmp_path / "cells.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="needs the columns"):
        read_sweep(tmp_path)
    assert os.listdir(tmp_path)
