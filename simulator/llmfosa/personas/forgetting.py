"""Deleting what was inferred: the files of a folder and the replies in the response cache."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from simulator.inputs.yamlfile import InputError, Problem
from simulator.llmfosa.personas.manifest import MANIFEST, Manifest, read_manifest

# What trainings keep of single users, by the file that tells a folder of theirs, with the entries that it must have.
_OF_USERS = ("models/*/model.*", "checkpoints/*.pt*", "checkpoints/*/*.pt*", "figures/projection.*")
_TRAINED = {
    "experiment.json": (("key", "preset", "annotations", "plan"), _OF_USERS),
    "model.json": (("method", "preset", "annotations", "stages"), (*_OF_USERS, "model.npz*", "model.json")),
}
_PURPOSE = re.compile(r"llmfosa/[\w.~%-]+/[\w.~%-]+/")  # without the wildcards of a pattern


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was deleted.

    Attributes:
        files: Names inside the folder.
        replies: How many replies were taken out of response caches.
        caches: Those that were looked through.
        left: Names inside the folder that its manifest does not know and that were left alone.
        refused: What the manifest names and was left alone too: names that lead out of the folder or are no files, and
            caches that cannot be opened as such.
    """

    files: tuple[str, ...]
    replies: int
    caches: tuple[Path, ...]
    left: tuple[str, ...]
    refused: tuple[str, ...]


def forget(folder: Path | str, cache: Path | str | None = None) -> Forgotten:
    """Delete every inferred value of an inference folder, and the replies behind it; or the models of a trained one.

    Only files that the folder's manifest names and that lie inside it are touched; the folder goes with them if nothing
    else is left. Replies go from the caches that the manifest names, if they are there, and from the given one: all
    whose purpose is this attribute of these data, whoever asked for them. The manifest goes last, so that the command
    can be repeated if it was interrupted.

    Of a folder that `train` or `run` has written, models, checkpoints and the picture of single users go: they hold
    what was believed of every user. Tables and figures of groups stay.

    Raises:
        InputError: It is no such folder, or the cache cannot be opened.
    """
    folder = Path(folder)
    if not (folder / MANIFEST).exists() and (trained := _trained_files(folder)) is not None:
        if cache is not None:
            raise InputError([Problem(f"--cache {cache}", "goes with an inference folder; no model is asked here")])
        return _forget_trained(folder.resolve(), trained)
    manifest = read_manifest(folder)
    home = folder.resolve()
    named = [path for path in map(Path, manifest.caches) if path.is_file()]
    caches = tuple(dict.fromkeys([*named, *([] if cache is None else [Path(cache).expanduser().absolute()])]))
    gone: list[str] = []
    refused: list[str] = []
    replies = 0
    for path in caches:
        try:
            replies += _forget_replies(path, manifest)
        except InputError:
            if cache is not None and path == caches[-1]:
                raise
            refused.append(str(path))
    for name in dict.fromkeys(manifest.files):
        if not _is_inside(home, name):
            refused.append(name)
        elif _remove(home / name):
            gone.append(name)
        fresh = home / f".{name}.new"  # what a kill in the middle of a write has left
        if _is_inside(home, fresh.name) and _remove(fresh):
            gone.append(fresh.name)
    _remove(home / f".{MANIFEST}.new")
    _remove(home / MANIFEST)
    gone.append(MANIFEST)
    left = tuple(sorted(path.name for path in home.iterdir()))
    if not left:
        home.rmdir()
    return Forgotten(tuple(gone), replies, caches, left, tuple(refused))


def _trained_files(folder: Path) -> tuple[str, ...] | None:
    """Names of the files about single users in a folder that `train` or `run` has written; None for any other."""
    for name, (needed, patterns) in _TRAINED.items():
        try:
            about = json.loads((folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            continue
        if isinstance(about, dict) and all(entry in about for entry in needed):
            found = [path.relative_to(folder) for pattern in patterns for path in sorted(folder.glob(pattern))]
            return tuple(dict.fromkeys(map(str, found)))
    return None


def _forget_trained(home: Path, names: tuple[str, ...]) -> Forgotten:
    gone: list[str] = []
    refused: list[str] = []
    for name in names:
        if not _is_inside(home, name):
            refused.append(name)
        elif _remove(home / name):
            gone.append(name)
    for parent in sorted({(home / name).parent for name in gone}, key=lambda path: -len(path.parts)):
        while parent.is_relative_to(home) and parent.is_dir() and not any(parent.iterdir()):
            parent.rmdir()
            parent = parent.parent
    left = tuple(sorted(path.name for path in home.iterdir())) if home.is_dir() else ()
    return Forgotten(tuple(gone), 0, (), left, tuple(refused))


def _is_inside(home: Path, name: str) -> bool:
    """Whether a name is that of a file in the folder or below it; links may not lead there from elsewhere."""
    if not name or "\0" in name or os.path.isabs(name):
        return False
    path = home / name
    parent = path.parent.resolve()
    whole = parent / path.name
    return (
        path.name not in ("", ".", "..")
        and parent.is_relative_to(home)
        and not (whole.is_dir() and not whole.is_symlink())
    )


def _remove(path: Path) -> bool:
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    return True


def _forget_replies(path: Path, manifest: Manifest) -> int:
    from simulator.models.cache import ResponseCache
    from simulator.models.cache_upkeep import prune

    if not _PURPOSE.fullmatch(manifest.purpose):  # nothing of ours, and it might select what others asked
        return 0
    with ResponseCache(path, create=False) as replies:
        return prune(replies, purpose=f"{manifest.purpose}*")
