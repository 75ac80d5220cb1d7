"""Annotations as files: one row a user and persona, one summary a user, and what is known of both."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from simulator.inputs.csvfile import CsvError, CsvRows, read_csv
from simulator.inputs.yamlfile import InputError, Problem
from simulator.llmfosa.annotations import Annotations
from simulator.llmfosa.personas.files import make_private_folder, write_private
from simulator.llmfosa.personas.manifest import (
    ANNOTATIONS,
    MANIFEST,
    PROBABILITIES,
    RECORD,
    SUMMARIES,
    Manifest,
    read_manifest,
    write_manifest,
)

_COLUMNS = ("user", "persona", "label", "confidence", "rationale")


def write(found: Annotations, folder: Path | str, about: Mapping[str, Any] | None = None) -> None:
    """Write annotations into a folder that only its owner can read, and say in plain words what it holds.

    annotations.csv has one row a user and persona (label and confidence are empty where it abstained), summaries.csv
    one a user, probabilities.csv one a user, persona and value, if there are any. The manifest is written last.

    Args:
        found: The annotations.
        folder: A new or empty folder, or one that holds an inference.
        about: More entries for the manifest.

    Raises:
        InputError: The folder holds something else.
    """
    folder = Path(folder)
    known = claim(folder)
    make_private_folder(folder)
    files = [ANNOTATIONS, SUMMARIES]
    write_private(folder / ANNOTATIONS, _csv(_COLUMNS, _rows(found)))
    by = (about or {}).get("summaries_by", "")
    summaries = ((user, text, by if text else "") for user, text in zip(found.users, found.summaries, strict=True))
    write_private(folder / SUMMARIES, _csv(("user", "summary", "by"), summaries))
    if found.probabilities is not None:
        files.append(PROBABILITIES)
        columns = ("user", "persona", "value", "probability")
        write_private(folder / PROBABILITIES, _csv(columns, _probabilities(found)))
    else:
        (folder / PROBABILITIES).unlink(missing_ok=True)
    entries = {
        "status": "done",
        "attribute": found.attribute,
        "values": list(found.values),
        "personas": [{"name": one.name, "description": one.description} for one in found.personas],
        "origin": found.origin,
        **(about or {}),
    }
    write_manifest(folder, known, files, entries)


def read(folder: Path | str) -> Annotations:
    """Read what `write` has written; every file is checked as if somebody else had written it.

    Raises:
        InputError: One message with file, line and what would be right.
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    if not (folder / ANNOTATIONS).exists():
        raise InputError([Problem(str(folder), "holds no annotations yet; run the same `infer` command again")])
    rows = _read(folder / ANNOTATIONS, _COLUMNS)
    users = tuple(dict.fromkeys(row[0] for _, row in rows.rows))
    names = [persona.name for persona in manifest.personas]
    place = folder / ANNOTATIONS
    labels = np.full((len(users), len(names)), -1, dtype=np.int64)
    confidence = np.full(labels.shape, np.nan)
    rationales = [[""] * len(names) for _ in users]
    expected = [(user, name) for user in users for name in names]
    if len(rows.rows) != len(expected):
        _wrong(
            place, 1, f"has {len(rows.rows)} rows, {len(users)} users and {len(names)} personas need {len(expected)}"
        )
    for number, ((line, row), (user, name)) in enumerate(zip(rows.rows, expected, strict=True)):
        at = divmod(number, len(names))
        if (row[0], row[1]) != (user, name):
            _wrong(place, line, f"is about {row[0]!r} and {row[1]!r} where {user!r} and {name!r} are due")
        if row[2]:
            if row[2] not in manifest.values:
                _wrong(place, line, f"label {row[2]!r} is none of {', '.join(manifest.values)}")
            labels[at] = manifest.values.index(row[2])
        confidence[at] = _share(place, line, row[3])
        rationales[at[0]][at[1]] = row[4]
    return Annotations(
        attribute=manifest.attribute,
        values=tuple(manifest.values),
        personas=manifest.cast(),
        users=users,
        labels=labels,
        confidence=confidence,
        rationales=tuple(map(tuple, rationales)),
        summaries=_summaries(folder, users),
        probabilities=_read_probabilities(folder, users, manifest) if (folder / PROBABILITIES).exists() else None,
        origin=manifest.origin,
    )


def begin(folder: Path, entries: Mapping[str, Any]) -> Path:
    """Make the folder ready for an inference, or for going on with the one that it holds; the path of its record.

    Raises:
        InputError: The folder holds something else, or an inference of another attribute or about other data.
    """
    known = claim(folder)
    if known is not None:
        for key, held in (("data", known.data), ("attribute", known.attribute), ("values", known.values)):
            if held != entries[key]:
                told = f"holds an inference of {key} {held!r}, not {entries[key]!r}; name another folder, or forget it"
                raise InputError([Problem(str(folder), told)])
    make_private_folder(folder)
    so_far = {} if known is None else known.model_dump(mode="json")  # until there is something new
    write_manifest(folder, known, [RECORD], {**so_far, **entries})
    record = folder / RECORD
    if record.is_symlink() or (record.exists() and not record.is_file()):
        raise InputError([Problem(str(record), "is no ordinary file; take it away")])
    return record


def claim(folder: Path) -> Manifest | None:
    """The manifest of a folder that holds an inference; None for a folder that is not there or empty.

    Raises:
        InputError: It is a file, or holds something else, which must not be mixed with inferred data.
    """
    if not folder.exists():
        return None
    if not folder.is_dir():
        raise InputError([Problem(str(folder), "is a file; name a folder")])
    if (folder / MANIFEST).exists():
        return read_manifest(folder)
    if any(folder.iterdir()):
        raise InputError([Problem(str(folder), "holds other files; name a new folder for what is inferred")])
    return None


def _rows(found: Annotations) -> Iterable[Sequence[object]]:
    for row, user in enumerate(found.users):
        for place, persona in enumerate(found.personas):
            label, sure = int(found.labels[row, place]), float(found.confidence[row, place])
            name = found.values[label] if label >= 0 else ""
            yield user, persona.name, name, _number(sure), found.rationales[row][place]


def _probabilities(found: Annotations) -> Iterable[Sequence[object]]:
    assert found.probabilities is not None
    for row, user in enumerate(found.users):
        for place, persona in enumerate(found.personas):
            for code, value in enumerate(found.values):
                yield user, persona.name, value, _number(float(found.probabilities[row, place, code]))


def _csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def _number(value: float) -> str:
    return repr(value) if math.isfinite(value) else ""


def _read(path: Path, columns: Sequence[str]) -> CsvRows:
    try:
        rows = read_csv(path)
    except CsvError as error:
        raise InputError([Problem(f"{path}:{line}", message) for line, message in error.faults]) from None
    if rows.header != tuple(columns):
        _wrong(path, 1, f"the columns are {', '.join(rows.header)} and must be {', '.join(columns)}")
    for line, message in rows.faults:
        _wrong(path, line, message)
    return rows


def _summaries(folder: Path, users: Sequence[str]) -> tuple[str, ...]:
    path = folder / SUMMARIES
    rows = _read(path, ("user", "summary", "by")).rows
    if [row[0] for _, row in rows] != list(users):
        _wrong(path, 1, f"must have one row for each of the {len(users)} users of {ANNOTATIONS}, in its order")
    return tuple(row[1] for _, row in rows)


def _read_probabilities(
    folder: Path, users: Sequence[str], manifest: Manifest
) -> np.ndarray[Any, np.dtype[np.float64]]:
    path = folder / PROBABILITIES
    rows = _read(path, ("user", "persona", "value", "probability")).rows
    names = [persona.name for persona in manifest.personas]
    expected = [(user, name, value) for user in users for name in names for value in manifest.values]
    if len(rows) != len(expected):
        _wrong(path, 1, f"has {len(rows)} rows and must have {len(expected)}")
    for (line, row), due in zip(rows, expected, strict=True):
        if tuple(row[:3]) != due:
            _wrong(path, line, f"is about {', '.join(row[:3])} where {', '.join(due)} are due")
    shares = np.array([_share(path, line, row[3]) for line, row in rows])
    return shares.reshape(len(users), len(names), len(manifest.values))


def _share(path: Path, line: int, text: str) -> float:
    if not text:
        return math.nan
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.0 <= value <= 1.0:
        _wrong(path, line, f"{text[:40]!r} is no number from 0 to 1")
    return value


def _wrong(path: Path, line: int, message: str) -> None:
    raise InputError([Problem(f"{path}:{line}", message)])
