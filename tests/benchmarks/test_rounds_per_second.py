"""Rounds per second of CPU time on one core: 4 rational stakeholders, 50 candidates, all metrics, a run folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCENARIO = Path(__file__).parent / "rounds"
LEAST = 300.0
REFERENCE = 11_000.0  # of the fixed work below a second, on the idle 2.6 GHz server core of which 300 are asked
MEASURE = """
import json, sys, time
from pathlib import Path
import numpy as np
import simulator as fa
from simulator.runs import RunFolder
from simulator.simulate import _rare_collections

numbers = np.arange(200.0).reshape(4, 50) % 7

def fixed_work():
    began = time.process_time()
    for _ in range(400):
        order = np.argsort(-numbers, axis=1, kind="stable")
        values = np.take_along_axis(numbers, order, 1).ravel().tolist()
        json.dumps({str(place): [value] for place, value in enumerate(values)})
    return 400 / (time.process_time() - began)

world = fa.NegotiationWorld(fa.load_scenario(sys.argv[1]))
folder = RunFolder.create(Path(sys.argv[2]), scenario_slug="bench", resolved_yaml="", inputs={}, manifest={})
with folder, _rare_collections():
    world.record(folder)
    for _ in range(30):
        world.step()
    best, turns, reference = 0.0, 0, 0.0
    for _ in range(4):
        reference = max(reference, fixed_work())
        began = time.process_time()
        for _ in range(150):
            world.step()
            turns += world.last.row["turns"]
        best = max(best, 150 / (time.process_time() - began))
print(best, turns / 600, len(world.last.events[0]["candidates"]), reference)
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
    rate, turns, candidates, reference = map(float, done.stdout.split())
    print(f"{rate:.0f} rounds a second of CPU time, {turns:.2f} turns a round, {candidates:.0f} candidates")
    print(
        f"{reference:.0f} of the fixed work a second: a core of {reference / REFERENCE:.2f} times the reference speed"
    )
    assert candidates == 50
    assert turns > 1.5  # else nothing was negotiated
    assert rate >= LEAST * min(1.0, reference / REFERENCE)  # a core that is slow or shared is no slower program
