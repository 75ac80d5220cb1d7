"""Files that only their owner can read, in a folder that says what it holds."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

README = "README.txt"
_README = """\
SENSITIVE: inferred personal data

A language model has guessed a hidden attribute of the users named in these files from what they watched, heard or
bought. Guesses about a person are personal data like facts about a person, whether they are right or wrong.

- Keep the folder on this machine; it is readable by its owner only.
- Do not decide about any single person by it, do not show it to others, do not join it with names.
- It serves one purpose: to make a recommender treat groups alike, and to measure whether it does.
- `fairagents llmfosa forget FOLDER` deletes everything that was inferred, here and in the response cache.
"""


def make_private_folder(folder: Path) -> None:
    """Make the folder, closed to others, with a file in plain words; a folder that exists keeps its permissions."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_private(folder / README, _README)


def open_private(path: Path, *, append: bool = False) -> BinaryIO:
    """Open a file for writing that its owner alone can read; a link in its place is not followed.

    Raises:
        OSError: It is a link or a folder, or cannot be written to.
    """
    flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | (os.O_APPEND if append else os.O_TRUNC)
    handle = os.open(path, flags, 0o600)
    if stat.S_IMODE(os.fstat(handle).st_mode) != 0o600 and hasattr(os, "fchmod"):
        os.fchmod(handle, 0o600)
    return os.fdopen(handle, "ab" if append else "wb")


def write_private(path: Path, text: str) -> None:
    """Replace a file by a text, whole or not at all."""
    fresh = path.with_name(f".{path.name}.new")
    with open_private(fresh) as file:
        file.write(text.encode("utf-8", errors="backslashreplace"))
    os.replace(fresh, path)
