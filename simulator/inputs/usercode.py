"""Code that a scenario names by its place: `./file.py:Name` or `module:Name`."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from simulator.inputs.nearest import nearest

T = TypeVar("T")

USER_MODULE = "fairagents_user_"  # how the names of modules start that were loaded from a file


class RegistryError(ValueError):
    """A name, an import path or a parameter that the registry cannot turn into a thing."""


def named_by_path(kind: str, name: str, base: Path | None) -> Any:
    """The attribute of a file or module that `name` says; a file is relative to `base`, else to the working directory.

    Raises:
        RegistryError: there is no such file, module or attribute, or the import failed.
    """
    source, _, attribute = name.rpartition(":")
    if source.endswith(".py"):
        module = imported(f"{kind} '{name}'", lambda: _file_module(source, base))
    else:
        module = imported(f"{kind} '{name}'", lambda: importlib.import_module(source))
    try:
        return getattr(module, attribute)
    except AttributeError:
        public = [found for found in vars(module) if not found.startswith("_")]
        raise RegistryError(f"'{source}' has no '{attribute}'{nearest(attribute, public)}") from None


def imported(what: str, load: Callable[[], T]) -> T:
    """What `load` gives.

    Raises:
        RegistryError: it failed in any way; the message says how and where.
    """
    try:
        return load()
    except RegistryError:
        raise
    except (Exception, SystemExit) as error:  # foreign code can fail in any way at import; say where and how
        raise RegistryError(f"{what} does not import: {type(error).__name__}: {error}{_where(error)}") from error


def _where(error: BaseException) -> str:
    """The last place in foreign code that led to an error; a SyntaxError names its own."""
    passed = [frame for frame in traceback.extract_tb(error.__traceback__) if "importlib" not in frame.filename]
    foreign = [frame for frame in passed if frame.filename != __file__]
    if not foreign or isinstance(error, SyntaxError):
        return ""
    return f" ({Path(foreign[-1].filename).name}, line {foreign[-1].lineno})"


def _file_module(source: str, base: Path | None) -> ModuleType:
    path = ((base or Path.cwd()) / source).resolve()
    if not path.is_file():
        raise RegistryError(f"there is no file '{source}' in {path.parent}")
    content = path.read_bytes()  # part of the module's name, so that an edited file is loaded anew
    stamp = hashlib.sha256(str(path).encode() + b"\0" + content).hexdigest()[:12]
    module_name = f"{USER_MODULE}{path.stem}_{stamp}"
    if module_name in sys.modules:
        return sys.modules[module_name]
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[module_name]
        raise
    return module
