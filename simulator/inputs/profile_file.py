"""A profile of ballots from a file, and as a file: JSON and PrefLib's formats, told apart by the name's ending."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from os import PathLike
from pathlib import Path

from simulator.inputs.nearest import nearest
from simulator.inputs.preflib import FORMATS, preflib_text, read_preflib
from simulator.inputs.profile_json import json_text, read_json
from simulator.inputs.yamlfile import InputError, Problem
from simulator.profile import Profile

ENDINGS = (".json", *(f".{form}" for form in FORMATS))


def read_profile(path: str | PathLike[str]) -> Profile:
    """Read a profile.

    Args:
        path: a file whose name ends in .json (see `profile_json`), .soc, .soi, .toc, .toi or .cat (see `preflib`).

    Raises:
        InputError: the ending is another, the file cannot be read, or something in it is wrong.
    """
    path = Path(path)
    form = _form(path)
    return read_json(path) if form == "json" else read_preflib(path, form)


def write_profile(profile: Profile, path: str | PathLike[str]) -> None:
    """Write a profile that `read_profile` reads back as the same, but for the voters' names; a file there is replaced.

    Args:
        profile: one profile, without batch axes.
        path: the file; its name's ending says the format.

    Raises:
        InputError: the ending is unknown, the format cannot hold this profile exactly, or the file cannot be written.
    """
    path = Path(path)
    form = _form(path)
    text: Callable[[Profile], str] = json_text if form == "json" else partial(preflib_text, form=form)
    try:
        content = text(profile)
    except ValueError as error:
        raise InputError([Problem(str(path), str(error))]) from None
    try:
        path.write_bytes(content.encode())
    except UnicodeEncodeError as error:
        found = ascii(error.object[error.start])
        raise InputError([Problem(str(path), f"a name holds {found}, which is no character of UTF-8")]) from None
    except OSError as error:
        raise InputError([Problem(str(path), f"cannot be written: {error.strerror or error}")]) from None


def _form(path: Path) -> str:
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        hint = nearest(ending, list(ENDINGS))
        raise InputError([Problem(str(path), f"the name's ending must say the format{hint}")])
    return ending[1:]
