"""The run folder as it is written: a manifest, events, rows and timings, complete up to the last finished round."""

from __future__ import annotations

import json
import os
import re
import secrets
import time
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Any, BinaryIO, Literal, Self

from simulator.records import Event, RoundRecord
from simulator.runs.lines import RowLines, event_line, to_bytes

Status = Literal["success", "error", "cancelled"]

MANIFEST = "manifest.json"
EVENTS = "events.jsonl"
ROUNDS = "rounds.csv"
STAKEHOLDERS = "stakeholders.csv"
TIMINGS = "timings.csv"
JOURNAL = "journal.jsonl"
SCENARIO = "scenario.yaml"
# Written in this order, so that a round that stands in rounds.csv stands in every file.
FILES = (EVENTS, TIMINGS, STAKEHOLDERS, ROUNDS)
RESERVED = frozenset({MANIFEST, JOURNAL, SCENARIO, "plots", "report.html", *FILES})
LONGEST_SLUG = 40
LONGEST_ERROR = 500
LONGEST_WAIT = 1.0  # seconds that an event stays in memory while others follow


class RunFolder:
    """A recorder that writes one run to disk, round by round.

    As a context manager it closes the run: `success` if the block ends, `error` if it raises an Exception, `cancelled`
    if it is interrupted (KeyboardInterrupt, SystemExit, a cancelled task); the exception goes on.

    Attributes:
        path: the folder.
        manifest: what manifest.json holds now.
    """

    def __init__(self, path: Path, manifest: Mapping[str, Any]) -> None:
        """Open the files of an existing, empty folder; `RunFolder.create` makes one."""
        self.path = path
        self.manifest = {"status": "started", "error": None, **manifest}
        self.manifest.setdefault("started", datetime.now(UTC).isoformat(timespec="seconds"))
        self.manifest.update(rounds_done=0, prompt_tokens=0, completion_tokens=0)
        self._began = time.monotonic()
        self._finished = False
        self._event_lines: list[bytes] = []
        self._events_written = self._began
        self._rows = {name: RowLines() for name in (TIMINGS, STAKEHOLDERS, ROUNDS)}
        self._handles: dict[str, BinaryIO] = {name: (path / name).open("xb") for name in FILES}
        self._write_manifest()

    @classmethod
    def create(
        cls,
        out: Path,
        *,
        scenario_slug: str,
        resolved_yaml: str,
        inputs: Mapping[str, bytes],
        manifest: Mapping[str, Any],
    ) -> RunFolder:
        """Make a new folder `<UTC stamp>_<slug>_<6 hex digits>` under `out`, with the scenario and its data in it.

        Args:
            out: where run folders are made; made itself if it is missing.
            scenario_slug: the scenario's name, in any text.
            resolved_yaml: the scenario file that runs again as it is.
            inputs: the content of the scenario's data files by their path relative to the folder.
            manifest: what is known at the start: versions, seed, scenario, model, rounds asked, cost.

        Raises:
            ValueError: a data file's path leaves the folder or is one of the run's own files.
        """
        for name in inputs:
            _check_inside(name)
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        path = out / f"{stamp}_{slug(scenario_slug)}_{secrets.token_hex(3)}"
        path.mkdir(parents=True)
        (path / SCENARIO).write_bytes(to_bytes(resolved_yaml))
        for name, content in inputs.items():
            target = path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        return cls(path, manifest)

    @property
    def journal_path(self) -> Path:
        """Where the model layer writes its replies as they arrive."""
        return self.path / JOURNAL

    def event(self, event: Event) -> None:
        """Keep an event; it is written with its round, or with its turn where turns take their time."""
        self._event_lines.append(event_line(event))
        if time.monotonic() - self._events_written > LONGEST_WAIT:
            self._flush(EVENTS)

    def round(self, record: RoundRecord) -> None:
        """Write one finished round, each file in one piece."""
        self._rows[TIMINGS].add(record.timings)
        self._rows[STAKEHOLDERS].add(record.stakeholder_rows)
        self._rows[ROUNDS].add((record.row,))
        for name in FILES:
            self._flush(name)
        self.manifest["rounds_done"] += 1
        for tokens in ("prompt_tokens", "completion_tokens"):
            self.manifest[tokens] += record.row.get(tokens) or 0

    def finish(self, status: Status, error: str | None = None, **totals: Any) -> None:
        """Close the files and write the manifest's last version; events of an unfinished round are kept.

        Args:
            status: how the run ended.
            error: why, cut to one line.
            totals: what the manifest says beside the folder's own count of rounds, tokens and wall seconds.
        """
        if self._finished:
            return
        self._finished = True
        self._flush(EVENTS)
        for handle in self._handles.values():
            handle.close()
        line = None if error is None else " ".join(error.split())[:LONGEST_ERROR]
        wall = round(time.monotonic() - self._began, 3)
        self.manifest.update({"wall_seconds": wall, **totals, "status": status, "error": line})
        self._write_manifest()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        if raised is None:
            self.finish("success")
        else:
            status: Status = "error" if isinstance(raised, Exception) else "cancelled"
            self.finish(status, f"{type(raised).__name__}: {raised}")

    def _flush(self, name: str) -> None:
        if name == EVENTS:
            lines = b"".join(self._event_lines)
            self._event_lines.clear()
            self._events_written = time.monotonic()
        else:
            lines = to_bytes(self._rows[name].take())
        self._handles[name].write(lines)
        self._handles[name].flush()

    def _write_manifest(self) -> None:
        """Replace the file in one step, so that a reader or a kill never finds half of it."""
        text = json.dumps(self.manifest, ensure_ascii=False, allow_nan=False, indent=2) + "\n"
        part = self.path / f".{MANIFEST}.part"
        part.write_bytes(to_bytes(text))
        os.replace(part, self.path / MANIFEST)


def slug(text: str) -> str:
    """At most 40 lower-case ASCII letters, digits and single dashes; `scenario` if nothing is left of the text."""
    ascii_text = unicodedata.normalize("NFKD", text[:1000]).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_text).strip("-")[:LONGEST_SLUG].rstrip("-") or "scenario"


def _check_inside(name: str) -> None:
    path = PurePosixPath(name)
    if not name or "\0" in name or "\\" in name or ":" in name or path.is_absolute() or ".." in path.parts:
        raise ValueError(f"a data file of a run needs a path inside its folder, found {name!r}")
    if not path.parts or path.parts[0] in RESERVED:
        raise ValueError(f"{name!r} is the name of a run's own file; rename the data file")
