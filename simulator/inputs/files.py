"""The files that a scenario names, and under which names a run folder keeps them."""

from __future__ import annotations

import re
from pathlib import Path

from simulator.inputs.nearest import nearest

INPUTS = "inputs"


class InputFiles:
    """Files relative to a scenario's folder.

    Attributes:
        folder: what relative names start from, as it was given.
        kept: the files found so far, by the relative name that a run folder keeps them under.
        private: files found so far of which a run folder keeps no copy, for they tell of single people.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kept: dict[str, Path] = {}
        self.private: list[Path] = []
        self._names: dict[Path, str] = {}

    def find(self, name: str, *, private: bool = False) -> Path:
        """The file called `name`, which is kept from now on, or stays where it is if it is private.

        Raises:
            FileNotFoundError: there is none; the message names the nearest that there is.
        """
        path = self.folder / name
        try:
            found, others = path.is_file(), [entry.name for entry in path.parent.glob("*") if entry.is_file()]
        except (OSError, ValueError):  # too long, a NUL character, a folder that may not be read
            found, others = False, []
        if not found:
            hint = nearest(path.name, sorted(others))
            raise FileNotFoundError(f"there is no file '{name}' in {self.folder.resolve()}{hint}")
        real = path.resolve()
        if private:
            self._names[real] = str(real)
            self.private.append(real)
        elif real not in self._names:
            plain = re.sub(r"[^\w.-]", "_", path.name)
            copy, number = f"{INPUTS}/{plain}", 2
            while copy.casefold() in {kept.casefold() for kept in self.kept}:
                copy, number = f"{INPUTS}/{number}-{plain}", number + 1
            self._names[real] = copy
            self.kept[copy] = real
        return path

    def copy(self, name: str) -> str:
        """Where a run folder keeps the file called `name`; a private one is where it was."""
        return self._names.get((self.folder / name).resolve(), name)
