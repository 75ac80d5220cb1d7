"""What the commands that look back on a run share: the run, and where they may write."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

RunPath = Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")]


def one_of(option: str, given: Sequence[str], known: Iterable[str]) -> None:
    """Refuse the first word that is not known.

    Raises:
        InputError: with the nearest known word, or with all of them.
    """
    from simulator.inputs.nearest import nearest
    from simulator.inputs.yamlfile import InputError, Problem

    names = list(known)
    problems = [
        Problem(f"{option} {word}".rstrip(), f"is no {option.lstrip('-')}{nearest(word, names)}")
        for word in given
        if word not in names
    ]
    if problems:
        raise InputError(problems)


def writable_file(path: Path, option: str) -> Path:
    """The path, if a file can be written there.

    Raises:
        InputError: it is a folder, or lies in none, or in one that cannot be written to.
    """
    from simulator.inputs.yamlfile import InputError, Problem

    if path.is_dir():
        raise InputError([Problem(f"{option} {path}", f"is a folder; name a file, such as {path / 'report.html'}")])
    if not path.parent.is_dir():
        raise InputError([Problem(f"{option} {path}", f"there is no folder '{path.parent}'; make it first")])
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise InputError([Problem(f"{option} {path}", "cannot be written to; name another place")])
    return path


def writable_folder(path: Path, option: str) -> Path:
    """The path, if it is a folder that can be written to or can be made.

    Raises:
        InputError: a file is in the way, or the folder cannot be written to.
    """
    from simulator.inputs.yamlfile import InputError, Problem

    standing = next(folder for folder in (path, *path.absolute().parents) if os.path.exists(folder))
    if not standing.is_dir():
        raise InputError([Problem(f"{option} {path}", f"'{standing}' is a file; name a folder")])
    if not os.access(standing, os.W_OK | os.X_OK):
        raise InputError([Problem(f"{option} {path}", "cannot be written to; name another folder")])
    return path
