"""What is in a response cache, and taking it out for good.

What is deleted is overwritten in the file (`PRAGMA secure_delete`), the file is rebuilt without it, and the write-ahead
log is emptied. What a file system or a backup keeps of earlier contents is out of reach.
"""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass

from simulator.models.cache import ResponseCache

# Of the file, a reply takes its own texts and about this much for keys, counts and the tree they stand in.
ROW_BYTES = 100
_SIZE = f"length(CAST(reply AS BLOB)) + length(CAST(model AS BLOB)) + length(CAST(purpose AS BLOB)) + {ROW_BYTES}"


@dataclass(frozen=True, slots=True)
class Holding:
    """The replies of one model for one kind of task.

    Attributes:
        model: its name.
        task: the last part of their purposes.
        replies: how many there are.
        hits: how often one was used again.
        tokens_saved: what the hits would have cost.
        bytes: what they take, estimated.
        first_used, last_used: seconds since 1970.
    """

    model: str
    task: str
    replies: int
    hits: int
    tokens_saved: int
    bytes: int
    first_used: int
    last_used: int


def holdings(cache: ResponseCache) -> list[Holding]:
    """What is in the cache, by model and task."""
    statement = f"""
        SELECT model, task, count(*), sum(hits), sum(hits * (prompt_tokens + completion_tokens)), sum({_SIZE}),
               min(first_used), max(last_used)
        FROM replies GROUP BY model, task ORDER BY model, task"""
    with cache.connected() as connection:
        return [Holding(*row) for row in connection.execute(statement)]


def file_bytes(cache: ResponseCache) -> int:
    """The size of the file, its write-ahead log included."""
    beside = (cache.path, cache.path.with_name(f"{cache.path.name}-wal"))
    return sum(path.stat().st_size for path in beside if path.exists())


def prune(
    cache: ResponseCache,
    *,
    unused_for: float | None = None,
    most_bytes: int | None = None,
    model: str | None = None,
    purpose: str | None = None,
) -> int:
    """Delete replies for good and say how many.

    All replies to one question go together. Without `unused_for` and `most_bytes` everything that `model` and `purpose`
    select is deleted.

    Args:
        cache: the cache.
        unused_for: only what was not used for so many seconds.
        most_bytes: only the longest unused, until the file is no larger.
        model: only this model's, a name or a GLOB pattern.
        purpose: only these, a whole purpose, its last part, or a GLOB pattern of either: `llmfosa/*`, `propose`.
    """
    chosen, values = ["1"], list[object]()
    if model is not None:
        chosen.append("(model = ? OR model GLOB ?)")
        values += [model, model]
    if purpose is not None:
        chosen.append("(purpose = ? OR task = ? OR purpose GLOB ? OR task GLOB ?)")
        values += [purpose] * 4
    where = " AND ".join(chosen)
    if unused_for is not None:
        where_old = f"key IN (SELECT key FROM replies WHERE {where} GROUP BY key HAVING max(last_used) <= ?)"
        values.append(int(time.time() - unused_for))
    else:
        where_old = where
    with cache.connected() as connection:
        before = _count(connection)
        if unused_for is not None or most_bytes is None:
            connection.execute(f"DELETE FROM replies WHERE {where_old}", values)
        _rebuild(connection)
        if most_bytes is not None:
            selected = values if unused_for is None else values[:-1]
            while (size := cache.path.stat().st_size) > most_bytes:
                if not _drop(connection, where, selected, 1 - most_bytes / size):
                    break
                _rebuild(connection)
        return before - _count(connection)


def clear(cache: ResponseCache) -> int:
    """Delete every reply for good and say how many."""
    return prune(cache)


def _drop(connection: sqlite3.Connection, where: str, values: list[object], share: float) -> int:
    """Delete the longest unused replies, a share of all bytes together, at least one question's; how many."""
    total = connection.execute(f"SELECT sum({_SIZE}) FROM replies").fetchone()[0] or 0
    oldest = f"SELECT key, max(last_used) AS used, sum({_SIZE}) AS bytes FROM replies WHERE {where} GROUP BY key"
    running = f"SELECT key, sum(bytes) OVER (ORDER BY used, key) - bytes AS before FROM ({oldest})"
    statement = f"DELETE FROM replies WHERE key IN (SELECT key FROM ({running}) WHERE before < ?)"
    return connection.execute(statement, [*values, share * total]).rowcount


def _count(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM replies").fetchone()[0])


def _rebuild(connection: sqlite3.Connection) -> None:
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
