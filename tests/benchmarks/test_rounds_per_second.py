"""Rounds per second of CPU time on one core: 4 rational stakeholders, 50 candidates, all metrics, a run folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCENARIO = Path(__file__).parent / "rounds"
LEAST = 300.0
MEASURE = """
import sys, time
from pathlib import Path
import simulator as fa
from simulator.runs import RunFolder

world = fa.NegotiationWorld(fa.load_scenario(sys.argv[1]))
with RunFolder.create(Path(sys.argv[2]), scenario_slug="bench", resolved_yaml="", inputs={}, manifest={}) as folder:
    world.record(folder)
    for _ in range(30):
        world.step()
    best, turns = 0.0, 0
    for _ in range(4):
        began = time.process_time()
        for _ in range(150):
            world.step()
            turns += world.last.row["turns"]
        best = max(best, 150 / (time.process_time() - began))
print(best, turns / 600, len(world.last.events[0]["candidates"]))
"""


@pytest.mark.slow
def test_rounds_per_second(tmp_path: Path) -> None:
    one_core = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(SCENARIO), str(tmp_path)],
        env={**os.environ, **one_core},
        capture_output=True,
        text=True,
        check=True,
    )
    rate, turns, candidates = map(float, done.stdout.split())
    print(f"{rate:.0f} rounds a second of CPU time, {turns:.2f} turns a round, {candidates:.0f} candidates")
    assert candidates == 50
    assert turns > 1.5  # else nothing was negotiated
    assert rate >= LEAST
