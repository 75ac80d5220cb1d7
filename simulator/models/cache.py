"""The response cache: one SQLite file of model replies that runs, tasks and processes share.

A reply is kept under the SHA-256 of what decided it (`simulator.models.cached`) and a number: the n-th reply to a
question stands beside the others. Neither questions nor keys to any server are in the file, only replies, and for whom
and what they were: these can be personal, so only the file's owner may read it.

Every reply is committed as it arrives, in a write-ahead log: a process that is killed leaves a whole file, a machine
that loses power may lose the last replies. A file that fails while it is in use costs a run no reply: from then on the
model is asked as if there were no cache, and the log says so once.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from simulator.models.cache_file import open_cache, problem_with

if TYPE_CHECKING:
    from simulator.models.base import Model
    from simulator.models.cached import CacheUse

MOST_UNSAVED_USES = 1000


@dataclass(frozen=True, slots=True)
class Stored:
    """A reply as the file has it.

    Attributes:
        model: the name of the model that gave it.
        purpose: what it was for, see `simulator.models.purpose`.
        reply: it, as JSON text.
        prompt_tokens, completion_tokens: what the model counted for it.
    """

    model: str
    purpose: str
    reply: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


class ResponseCache:
    """Replies on disk, and the questions that are being asked right now.

    Args:
        path: the file; it is made if it is missing.
        create: whether it may be made.

    Raises:
        InputError: it is no response cache, one of a newer version, or cannot be read and written.
    """

    def __init__(self, path: Path | str, *, create: bool = True) -> None:
        self.path = Path(path).expanduser().absolute()
        self._lock = threading.Lock()
        self._uses: Counter[tuple[bytes, int]] = Counter()
        self._flights: dict[tuple[bytes, int], Future[Any]] = {}
        self._failed = False
        self._inherited: list[sqlite3.Connection] = []  # a fork's, which must neither use nor close them
        self._process = os.getpid()
        self._connection: sqlite3.Connection | None = open_cache(self.path, create)

    def get(self, key: bytes, number: int) -> Stored | None:
        """The reply of this number to a question; None if there is none."""
        columns = "model, purpose, reply, prompt_tokens, completion_tokens"
        with self._guarded() as connection:
            if connection is None:
                return None
            row = connection.execute(
                f"SELECT {columns} FROM replies WHERE key = ? AND number = ?", (key, number)
            ).fetchone()
            if row is not None and [type(value) for value in row] == [str, str, str, int, int]:
                return Stored(*row)
        return None

    def put(self, key: bytes, number: int, given: Stored, *, instead: bool = False) -> Stored:
        """Keep a reply, unless another process was faster: the reply that counts is returned.

        Args:
            key, number: as for `get`.
            given: the reply.
            instead: whether it takes the place of one that cannot be read.
        """
        now = int(time.time())
        task = given.purpose.rpartition("/")[2]
        tokens = (given.prompt_tokens, given.completion_tokens)
        row = (key, number, given.model, given.purpose, task, given.reply, *tokens, now, now)
        verb = "REPLACE" if instead else "IGNORE"
        kept = 1
        with self._guarded() as connection:
            if connection is None:
                return given
            statement = f"INSERT OR {verb} INTO replies VALUES ({', '.join('?' * len(row))}, 0)"
            kept = connection.execute(statement, row).rowcount
        return given if kept else self.get(key, number) or given

    def used(self, key: bytes, number: int) -> None:
        """Count a reply as used; written from time to time and when the cache is closed."""
        with self._lock:
            self._uses[key, number] += 1
            full = len(self._uses) >= MOST_UNSAVED_USES
        if full:
            self._save_uses()

    def board(self, key: bytes, number: int) -> tuple[Future[Any], bool]:
        """The question as it is being asked in this process, and whether it falls to the caller to ask it."""
        with self._lock:
            if self._process != os.getpid():  # a fork, in which nobody will answer what its parent has asked
                self._flights.clear()
            known = self._flights.get((key, number))
            if known is not None:
                return known, False
            flight: Future[Any] = Future()
            self._flights[key, number] = flight
            return flight, True

    def land(self, key: bytes, number: int) -> None:
        """Take a question out of those that are being asked."""
        with self._lock:
            del self._flights[key, number]

    @contextmanager
    def connected(self) -> Iterator[sqlite3.Connection]:
        """The connection, to oneself, for housekeeping.

        Raises:
            InputError: the file is in use elsewhere for too long, or damaged.
        """
        self._save_uses()
        with self._lock:
            try:
                yield self._own_connection()
            except sqlite3.Error as error:
                raise problem_with(self.path, error) from None

    def close(self) -> None:
        """Write what is not yet written and let go of the file; idempotent."""
        if self._connection is None:
            return
        self._save_uses()
        with self._lock:
            if self._process == os.getpid() and self._connection is not None:
                self._connection.close()
            self._connection = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _save_uses(self) -> None:
        now = int(time.time())
        with self._guarded() as connection:
            uses, self._uses = self._uses, Counter()
            if connection is None or not uses:
                return
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(
                "UPDATE replies SET hits = hits + ?, last_used = max(last_used, ?) WHERE key = ? AND number = ?",
                [(times, now, *place) for place, times in uses.items()],
            )
            connection.execute("COMMIT")

    @contextmanager
    def _guarded(self) -> Iterator[sqlite3.Connection | None]:
        """The connection to oneself; None once it has failed. A failure is logged and ends the block."""
        with self._lock:
            try:
                yield None if self._failed else self._own_connection()
            except sqlite3.Error as error:
                self._failed = True
                logging.getLogger(__name__).warning(
                    "the response cache %s fails (%s); models are asked without it from now on", self.path, error
                )

    def _own_connection(self) -> sqlite3.Connection:
        if self._connection is not None and self._process != os.getpid():
            self._inherited.append(self._connection)
            self._process, self._connection = os.getpid(), open_cache(self.path, create=False)
        if self._connection is None:
            raise sqlite3.ProgrammingError("it was closed")
        return self._connection


def cached(model: Model, cache: ResponseCache, use: CacheUse | None = None) -> Model:
    """The same model, answering from a cache what it answered before, phrase probabilities included.

    Args:
        model: the model.
        cache: where replies are; it belongs to whoever opened it, and stays open when the model is closed.
        use: is counted up; one for all models of a run.
    """
    from simulator.models.cached import before  # the cache's own file needs no AutoGen

    return before(model, cache, use)
