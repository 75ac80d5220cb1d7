"""Measures what `test_mediator_speed.py` judges; its last line is JSON. Run in a process of its own, on one core."""

import json
import subprocess
import sys
from collections.abc import Callable
from statistics import median
from time import process_time

import numpy as np

from simulator.mediation import mediate, mediate_batch
from simulator.profile import Profile

PROFILES, BALLOTS, ITEMS = 10_000, 5, 50
NAMES = tuple(f"item {number}" for number in range(ITEMS))


def seconds(work: Callable[[], object]) -> float:
    """CPU time of the median of 5 runs, after one to warm up."""
    work()
    times = []
    for _ in range(5):
        began = process_time()
        work()
        times.append(process_time() - began)
    return median(times)


def fixed_work() -> None:
    """Array work that has nothing to do with the mediators, to know how fast the core is."""
    numbers = np.arange(500_000.0).reshape(200, 50, 50) % 7
    for _ in range(4):
        np.take_along_axis(numbers, np.argsort(-numbers, axis=-1, kind="stable"), -1).cumsum(axis=-1)


def batches() -> dict[str, float]:
    """Microseconds a profile, the profile's construction included."""
    rng = np.random.default_rng(1)
    utilities = rng.random((PROFILES, BALLOTS, ITEMS))
    ranks = np.argsort(np.argsort(-utilities, axis=-1), axis=-1)
    weights = np.ones((PROFILES, BALLOTS))

    def winners(rule: str) -> Callable[[], object]:
        return lambda: mediate_batch(Profile(NAMES, ranks, weights, utilities), rule).winners

    rules = ("borda", "utilitarian", "range", "copeland", "maximin", "schulze", "ranked_pairs")
    times = {rule: seconds(winners(rule)) for rule in rules}
    times["nash_slate, k = 10"] = seconds(
        lambda: mediate_batch(Profile(NAMES, ranks, weights, utilities), "nash_slate", k=10).slates
    )
    return {rule: time / PROFILES * 1e6 for rule, time in times.items()}


def kemeny() -> list[float]:
    """Seconds for each of ten profiles of 5 ballots on 50 items that all see the same quality through noise."""
    rng = np.random.default_rng(2)
    times = []
    for _ in range(10):
        profile = Profile.from_utilities(rng.random(ITEMS) + 0.5 * rng.random((BALLOTS, ITEMS)), NAMES)
        began = process_time()
        outcome = mediate(profile, "kemeny")
        times.append(process_time() - began)
        assert outcome.trace.optimal
    return times


def imports() -> float:
    """CPU seconds of importing every mediator in a fresh process, less those of importing numpy."""
    code = "from time import process_time; import numpy; t = process_time(); {}; print(process_time() - t)"
    run = [sys.executable, "-c", code.format("from simulator import registry; registry.names('mediator')")]
    return median(float(subprocess.run(run, capture_output=True, text=True, check=True).stdout) for _ in range(5))


if __name__ == "__main__":
    before = seconds(fixed_work)
    measured = {"batches": batches(), "kemeny": kemeny(), "imports": imports()}
    print(json.dumps({**measured, "fixed work": min(before, seconds(fixed_work))}))
