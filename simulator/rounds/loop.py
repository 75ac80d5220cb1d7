"""One background event loop for all worlds of a process.

`asyncio.run` inside `Model.step` fails where a loop already runs (Solara, Jupyter), and clients are bound to the loop
they were made on; so everything that is asynchronous runs on this one.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")

UNWIND_SECONDS = 10.0

_NAME = "fairagents-loop"

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the background loop and wait for its result; an interrupt cancels it and lets it unwind."""
    if threading.current_thread().name == _NAME:  # this thread would wait for itself
        coroutine.close()
        raise RuntimeError("a stakeholder cannot step or close the world that is asking it")
    ended = threading.Lock()  # held until the coroutine has ended
    ended.acquire()
    future: Future[T] = asyncio.run_coroutine_threadsafe(_until(coroutine, ended), _started())
    try:
        return future.result()
    except BaseException:
        if future.cancel():
            ended.acquire(timeout=UNWIND_SECONDS)
        raise


async def _until(coroutine: Coroutine[Any, Any, T], ended: threading.Lock) -> T:
    try:
        return await coroutine
    finally:
        ended.release()


def _started() -> asyncio.AbstractEventLoop:
    global _loop
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            _loop.set_exception_handler(_report)
            threading.Thread(target=_keep_running, args=(_loop,), name=_NAME, daemon=True).start()
        return _loop


def _report(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """One line about a failure that nobody waits for, such as in a task that a stakeholder's code left behind."""
    logging.getLogger(__name__).warning("%s (%r)", context["message"], context.get("exception"))


def _keep_running(loop: asyncio.AbstractEventLoop) -> None:
    while True:
        try:
            loop.run_forever()
        except (KeyboardInterrupt, SystemExit):
            continue  # raised inside a coroutine, whose waiter gets it as well; asyncio also throws it out of the loop


def _forget() -> None:
    """A forked child has the loop but not its thread; it starts its own."""
    global _loop, _lock
    _loop, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
