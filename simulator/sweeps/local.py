"""The engine that runs cells in processes of this machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from simulator.sweeps.cell import Done, Task, run_cell

DIED = "its process died, as when memory runs out"


def run_local(tasks: Sequence[Task], jobs: int) -> Iterator[tuple[int, Done]]:
    """Run tasks and give each one's place and result as it ends, in any order.

    One job runs in this process. A process that dies takes the pool with it: what had not ended then is run again, each
    in a process alone, so that the one at fault is known and the others go on.
    """
    if jobs == 1 or len(tasks) == 1:
        for place, task in enumerate(tasks):
            yield place, run_cell(task)
        return
    left = dict(enumerate(tasks))
    try:
        for place, done in _pooled(left, jobs):
            del left[place]
            yield place, done
    except BrokenProcessPool:
        for place, task in list(left.items()):
            yield place, _alone(task)


def _pooled(tasks: dict[int, Task], jobs: int) -> Iterator[tuple[int, Done]]:
    pool = ProcessPoolExecutor(min(jobs, len(tasks)), get_context("spawn"))
    try:
        places: dict[Future[Done], int] = {pool.submit(run_cell, task): place for place, task in tasks.items()}
        for future in as_completed(places):
            yield places[future], future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _alone(task: Task) -> Done:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        try:
            return pool.submit(run_cell, task).result()
        except BrokenProcessPool:
            return Done("error", "", float("nan"), DIED)
