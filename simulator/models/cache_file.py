"""The file of a response cache: made private, told from other files, and opened for many processes."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import suppress
from pathlib import Path

from simulator.inputs.yamlfile import InputError, Problem

APPLICATION_ID = 0x46414952  # "FAIR", in the header of the file
VERSION = 1
BUSY_SECONDS = 10.0

_SCHEMA = """\
CREATE TABLE replies (
    key BLOB NOT NULL,
    number INTEGER NOT NULL,
    model TEXT NOT NULL,
    purpose TEXT NOT NULL,
    task TEXT NOT NULL,
    reply TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    first_used INTEGER NOT NULL,
    last_used INTEGER NOT NULL,
    hits INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (key, number)
)"""


def open_cache(path: Path, create: bool) -> sqlite3.Connection:
    """A connection to a cache's file, for all threads of this process; every statement is a transaction of its own.

    Args:
        path: where it is.
        create: whether it may be made.

    Raises:
        InputError: see `simulator.models.cache.ResponseCache`.
    """
    try:
        _check_place(path, create)
    except (OSError, ValueError) as error:  # a name that no file can have, a folder that nobody may look into
        if isinstance(error, InputError):
            raise
        raise _wrong(path, f"cannot be used ({getattr(error, 'strerror', None) or error}); name another") from None
    try:
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise problem_with(path, error) from None
    try:
        _prepare(connection, path)
    except BaseException as error:
        connection.close()
        if isinstance(error, sqlite3.Error):
            raise problem_with(path, error) from None
        raise
    return connection


def _check_place(path: Path, create: bool) -> None:
    if path.is_dir():
        raise _wrong(path, f"is a folder; name a file, such as {path / 'replies.sqlite'}")
    if path.exists():
        if not path.is_file():
            raise _wrong(path, "is no ordinary file; name another")
    elif not create:
        raise _wrong(path, "there is no such file")
    elif not path.parent.is_dir():
        raise _wrong(path, f"there is no folder '{path.parent}'; make it first")
    else:
        _make_private(path)


def _make_private(path: Path) -> None:
    """An empty file that its owner alone can read; SQLite gives the files beside it the same permissions."""
    with suppress(FileExistsError):  # another process was faster
        # Never opened if it exists: closing it again would take SQLite's locks from other connections of this process.
        os.close(os.open(os.path.realpath(path), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA synchronous = NORMAL")  # with a write-ahead log: whole after a kill
    if _is_empty(connection):
        connection.execute("BEGIN IMMEDIATE")
        if _is_empty(connection):  # still, now that no other process can write
            connection.execute(_SCHEMA)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    if _number(connection, "application_id") != APPLICATION_ID:
        raise _wrong(path, "is another program's SQLite file and no response cache; name another file")
    version = _number(connection, "user_version")
    if version > VERSION:
        raise _wrong(path, f"is of version {version}, newer than this program's {VERSION}; update it or name another")
    # Waits for nobody by itself, and turns itself down while another process is at the same.
    until = time.monotonic() + BUSY_SECONDS
    while True:
        with suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
            break
        if time.monotonic() > until:
            break  # it works without as well, only slower
        time.sleep(0.02)
    connection.execute("BEGIN IMMEDIATE")  # fails now rather than later where nothing can be written
    connection.execute("UPDATE replies SET hits = hits WHERE key = x'' AND number = 0")
    connection.execute("ROLLBACK")


def _is_empty(connection: sqlite3.Connection) -> bool:
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return not tables and not _number(connection, "application_id")


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def problem_with(path: Path, error: sqlite3.Error) -> InputError:
    """What SQLite's error means for whoever named the file."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    match code:
        case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
            words = "is no response cache, or a damaged one; name another file, or delete it"
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            words = "is in use by another process; try again"
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            words = "cannot be written to; name another place"
        case _:
            words = f"cannot be used ({error}); name another file"
    return _wrong(path, words)


def _wrong(path: Path, words: str) -> InputError:
    return InputError([Problem(f"cache {path}", words)])
