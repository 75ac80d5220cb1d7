"""Reading a run folder, whole or of a run that was killed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulator.records import Event
from simulator.runs.folder import EVENTS, MANIFEST, ROUNDS, STAKEHOLDERS, TIMINGS
from simulator.runs.run import Run, frame_of

if TYPE_CHECKING:
    import pandas as pd


class RunError(ValueError):
    """A folder that is not a run, or whose files are damaged."""


def read_run(path: Path | str) -> Run:
    """Read a run folder.

    Of a run that was killed while it wrote, the last line may be torn: it is left out, and so are the rows of a round
    that rounds.csv does not have.

    Raises:
        RunError: there is no such folder, it is not a run, or one of its files cannot be read.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise RunError(f"there is no folder '{folder}'")
    if not (folder / MANIFEST).is_file():
        raise RunError(f"'{folder}' is not a run folder: it has no {MANIFEST}")
    manifest = _manifest(folder / MANIFEST)
    rounds = _frame(folder / ROUNDS)
    finished = set(rounds["round"]) if "round" in rounds else set()
    stakeholders, timings = (
        frame[frame["round"].isin(finished)].reset_index(drop=True) if "round" in frame else frame
        for frame in (_frame(folder / STAKEHOLDERS), _frame(folder / TIMINGS))
    )
    return Run(
        manifest,
        rounds,
        stakeholders,
        timings,
        source=lambda: _events(folder / EVENTS),
        folder=folder,
        select=lambda kinds: _events(folder / EVENTS, kinds),
    )


def _manifest(path: Path) -> dict[str, Any]:
    try:
        manifest = json.loads(path.read_bytes())
    except (ValueError, OSError) as error:
        raise RunError(f"'{path}' cannot be read: {error}") from None
    if not isinstance(manifest, dict):
        raise RunError(f"'{path}' holds a {type(manifest).__name__}, expected an object")
    return manifest


def _frame(path: Path) -> pd.DataFrame:
    from pandas.errors import ParserError

    try:
        return frame_of(_whole_lines(path.read_bytes().decode("utf-8", "replace")))
    except FileNotFoundError:
        raise RunError(f"'{path.parent}' is not a run folder: it has no {path.name}") from None
    except (ParserError, ValueError, OSError) as error:
        raise RunError(f"'{path}' cannot be read: {error}") from None


def _whole_lines(text: str) -> str:
    """The text up to its last line end that is not inside quotes."""
    end = text.rfind("\n") + 1
    while text.count('"', 0, end) % 2:
        end = text.rfind("\n", 0, end - 1) + 1
    return text[:end]


def _events(path: Path, kinds: tuple[str, ...] = ()) -> Iterator[Event]:
    """The events of a log; lines that begin as another kind's than those named are not parsed."""
    wanted = tuple(b'{"event":%s' % json.dumps(kind).encode() for kind in kinds)
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.endswith(b"\n"):
                    return  # torn: the run was killed while it wrote this line
                if not wanted or line.startswith(wanted) or not line.startswith(b'{"event":'):
                    yield _event(line, f"'{path}', line {number}")
    except OSError as error:
        raise RunError(f"'{path}' cannot be read: {error}") from None


def _event(line: bytes, where: str) -> Event:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RunError(f"{where}: not JSON: {error}") from None
    if (
        not isinstance(event, dict)
        or not isinstance(event.get("event"), str)
        or not isinstance(event.get("round"), int)
    ):
        raise RunError(f"{where}: an event is an object with 'event' and 'round'")
    return event
