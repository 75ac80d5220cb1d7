"""The one background loop: usable from anywhere, and it survives what is raised inside it."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from simulator.rounds import loop


async def give(value: int) -> int:
    await asyncio.sleep(0)
    return value


async def fail(error: BaseException) -> None:
    raise error


def test_it_runs_inside_a_running_loop_and_in_threads() -> None:
    async def outer() -> int:
        return loop.run(give(1))

    assert asyncio.run(outer()) == 1
    results: list[int] = []
    threads = [threading.Thread(target=lambda n=n: results.append(loop.run(give(n)))) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert sorted(results) == [0, 1, 2, 3]


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), SystemExit(3)])
def test_an_exception_reaches_the_caller_and_the_loop_goes_on(error: BaseException) -> None:
    with pytest.raises(type(error)):
        loop.run(fail(error))
    assert loop.run(give(2)) == 2


def test_what_runs_on_the_loop_cannot_wait_for_it() -> None:
    async def wait_for_itself() -> int:
        return loop.run(give(1))

    with pytest.raises(RuntimeError, match="cannot step or close the world that is asking it"):
        loop.run(wait_for_itself())


def test_a_task_that_is_left_behind_fails_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    async def leave() -> None:
        task = asyncio.get_running_loop().create_task(fail(ValueError("orphan")))
        await asyncio.wait({task})

    loop.run(leave())
    loop.run(give(1))
    gc.collect()
    loop.run(give(1))
    assert "Task exception was never retrieved (ValueError('orphan'))" in caplog.text
    assert "Traceback" not in caplog.text


def test_an_interrupt_of_the_waiting_thread_ends_what_it_waited_for() -> None:
    code = textwrap.dedent(
        """
        import asyncio, os, signal, threading
        from simulator.rounds import loop
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background inherits it ignored
        ended = []
        async def wait_for_ever():
            try:
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0.05)
                ended.append(True)
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            loop.run(wait_for_ever())
        except KeyboardInterrupt:
            print("interrupted", ended)
        """
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.strip() == "interrupted [True]"
    assert done.stderr == ""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_starts_a_loop_of_its_own() -> None:
    code = textwrap.dedent(
        """
        import os, sys, warnings
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside threads, which is the point here
        from simulator.rounds import loop
        async def seven():
            return 7
        assert loop.run(seven()) == 7
        child = os.fork()
        if child == 0:
            os._exit(loop.run(seven()))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.strip() == "7"


def test_it_waits_without_working() -> None:
    before = time.process_time()
    loop.run(asyncio.sleep(0.3))
    assert time.process_time() - before < 0.2
