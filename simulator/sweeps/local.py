"""The engine that runs cells in processes of this machine."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from multiprocessing.synchronize import Event

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
    context = get_context("spawn")
    interrupted = context.Event()
    pool = ProcessPoolExecutor(min(jobs, len(tasks)), context, _begin, (interrupted,))
    try:
        places: dict[Future[Done], int] = {pool.submit(_run, task): place for place, task in tasks.items()}
        for future in as_completed(places):
            yield places[future], future.result()
    except BaseException:
        interrupted.set()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _alone(task: Task) -> Done:
    context = get_context("spawn")
    with ProcessPoolExecutor(1, context, _begin, (context.Event(),)) as pool:
        try:
            return pool.submit(_run, task).result()
        except BrokenProcessPool:
            return Done("error", "", float("nan"), DIED)


_interrupted: Event  # of a process that runs cells: shared by all of them


def _begin(interrupted: Event) -> None:
    """Make this process one that runs cells: it ends when the sweep's own process does, however that ends."""
    global _interrupted
    _interrupted = interrupted
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run(task: Task) -> Done:
    """Run a cell, unless the sweep was interrupted: an executor would go on with the cells that wait in its queue."""
    if _interrupted.is_set():
        return Done("error", "", float("nan"), "the sweep was interrupted")
    try:
        return run_cell(task)
    except KeyboardInterrupt:
        _interrupted.set()
        raise
