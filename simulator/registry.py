"""One registry for all that a user can plug in: mediators, metrics, protocols, dynamics, derivations, stakeholders.

A thing is found, in this order, as `./file.py:Name` (relative to the scenario file), as `module:Name`, by its known
name, or by the name of an entry point in the group `fairagents.<kind>`. Built-in things register themselves when their
package is first searched, so a new rule, metric or agent is one new file in that package and nothing else. A plug-in is
imported when it is named or listed, not before.
"""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import re
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from simulator.callsyntax import CallSyntaxError, parse_call
from simulator.inputs.nearest import nearest as nearest
from simulator.inputs.usercode import USER_MODULE, imported, named_by_path
from simulator.inputs.usercode import RegistryError as RegistryError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")

PACKAGES = {
    "mediator": "simulator.mediators",
    "metric": "simulator.metrics",
    "protocol": "simulator.protocols",
    "dynamic": "simulator.dynamics",
    "derivation": "simulator.derivations",
    "stakeholder": "agents",
}
_BASES = {
    "mediator": ("simulator.mediators.base", "Mediator"),
    "metric": ("simulator.metrics.base", "Metric"),
    "protocol": ("simulator.protocols.base", "Protocol"),
    "dynamic": ("simulator.dynamics.base", "Dynamic"),
    "derivation": ("simulator.derivations.base", "Derivation"),
    "stakeholder": ("agents.base", "Stakeholder"),
}

_registered: dict[str, dict[str, Any]] = {kind: {} for kind in PACKAGES}
_aliases: dict[str, dict[str, str]] = {kind: {} for kind in PACKAGES}
_plugins: dict[str, dict[str, EntryPoint]] = {kind: {} for kind in PACKAGES}
_from_files: set[tuple[str, str]] = set()  # (kind, name) of what files that scenarios name have registered
_searched: set[str] = set()
# A file's path may hold brackets; the colons of a call's parameters come after its bracket.
_SOURCE = re.compile(r"(?:(?:[^=]*?|[^(]*?)\.py|[^(:]*):")


def register(kind: str, name: str, *aliases: str) -> Callable[[T], T]:
    """Register the decorated class or object under `name` (and aliases) as one `kind` of thing."""

    def remember(thing: T) -> T:
        home = thing if isinstance(thing, type) else getattr(thing, "compute", thing)
        if getattr(home, "__module__", "").startswith(USER_MODULE):
            _search(kind)
            for given in (name, *aliases):
                if (kind, given) not in _from_files and given in (*_registered[kind], *_aliases[kind], *_plugins[kind]):
                    raise RegistryError(f"there is a {kind} '{given}' already; register yours under another name")
            _from_files.update((kind, given) for given in (name, *aliases))
        _registered[kind][name] = thing
        _aliases[kind].update(dict.fromkeys(aliases, name))
        return thing

    return remember


def names(kind: str) -> list[str]:
    """Every known name of a kind, sorted; plug-ins included, whether or not they load."""
    _search(kind)
    return sorted({*_registered[kind], *_plugins[kind]})


def aliases(kind: str, name: str) -> list[str]:
    """The other names of a known thing, sorted."""
    return sorted(alias for alias, known in _aliases[kind].items() if known == name)


def everything(kind: str, *, code: bool = True) -> dict[str, Any]:
    """Every thing of a kind by its name, sorted, less what a file that some scenario names has registered.

    Args:
        kind: one of `PACKAGES`.
        code: False leaves plug-ins out. One that does not load is left out with a warning: somebody else's broken
            plug-in must not stop everything else.
    """
    found = {}
    for name in names(kind):
        if (kind, name) in _from_files or (not code and is_foreign(kind, name)):
            continue
        try:
            found[name] = find(kind, name)
        except RegistryError as error:
            warnings.warn(str(error), stacklevel=2)
    return found


def is_foreign(kind: str, name: str) -> bool:
    """Whether finding this name imports code that belongs neither to this package nor to what is imported already."""
    _search(kind)
    return ":" in name or (name in _plugins[kind] and name not in _registered[kind])


def find(kind: str, name: str, base: Path | None = None) -> Any:
    """Return the thing called `name`.

    Args:
        kind: one of `PACKAGES`.
        name: a registered name or alias, `module:Name`, or `./file.py:Name`.
        base: the folder that `./file.py` is relative to; the working directory by default.

    Raises:
        RegistryError: nothing has this name (the message names the nearest that does), or its import failed.
    """
    if ":" in name:
        return named_by_path(kind, name, base)
    _search(kind)
    thing = _registered[kind].get(_aliases[kind].get(name, name))
    if thing is None and name in _plugins[kind]:
        thing = _registered[kind][name] = imported(f"the {kind} plug-in '{name}'", _plugins[kind][name].load)
    if thing is None:
        known = [*_registered[kind], *_aliases[kind], *_plugins[kind]]
        raise RegistryError(f"there is no {kind} '{name}'{nearest(name, known)}")
    return thing


def create(kind: str, spec: str | Mapping[str, Any], base: Path | None = None) -> Any:
    """Build a thing with its parameters from `name(key=value)` or from `{name: ..., key: value}`.

    Parameters are the fields of the thing's dataclass, or a metric's keyword-only arguments; they are checked by type
    and refused when unknown.

    Raises:
        RegistryError: the call does not parse, or a name, a parameter or a value is wrong.
    """
    name, params = split_spec(kind, spec)
    thing = find(kind, name, base)
    check_kind(kind, name, thing)
    from simulator.options import make_options

    try:
        if not isinstance(thing, type):  # a metric, whose parameters are the keyword-only arguments of its function
            return thing.with_parameters(params)
        return make_options(thing, params, f"{kind} '{name}'")
    except ValueError as error:
        raise RegistryError(str(error)) from None


def check_kind(kind: str, name: str, thing: Any) -> None:
    """Check that what a user wrote is one `kind` of thing.

    Raises:
        RegistryError: it is something else, or lacks what makes it complete; the message says what.
    """
    module, base_name = _BASES[kind]
    base = getattr(importlib.import_module(module), base_name)
    if kind == "metric":
        if not isinstance(thing, base):
            hint = " above the function" if callable(thing) else ""
            raise RegistryError(f"'{name}' is no metric; write @simulator.metric(name, scope=...){hint}")
        return
    if not (isinstance(thing, type) and issubclass(thing, base)):
        raise RegistryError(f"'{name}' is no {kind} class; it must derive from {module}.{base_name}")
    missing = sorted(getattr(thing, "__abstractmethods__", ()))
    if kind == "mediator":
        missing += [wanted for wanted in ("name", "rule") if not isinstance(getattr(thing, wanted, None), str)]
    if missing:
        raise RegistryError(f"{kind} '{name}' does not define {', '.join(missing)}")
    if kind != "stakeholder" and not dataclasses.is_dataclass(thing):
        raise RegistryError(f"{kind} '{name}' must be a dataclass; write @dataclass(frozen=True) above the class")


def split_spec(kind: str, spec: str | Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Split `name(key=value)` or `{name: ..., key: value}` into the name and its parameters."""
    if isinstance(spec, str):
        found = _SOURCE.match(spec)
        source = found[0] if found else ""
        try:
            name, params = parse_call(spec[len(source) :])
        except CallSyntaxError as error:
            raise RegistryError(str(error)) from None
        return f"{source.lstrip()}{name}", params
    params = dict(spec)
    name = params.pop("name", None)
    if not isinstance(name, str):
        raise RegistryError(
            f"a {kind} given as a mapping needs a 'name', found keys {', '.join(map(str, spec)) or 'none'}"
        )
    return name, params


def _search(kind: str) -> None:
    if kind in _searched:
        return
    _searched.add(kind)
    package = importlib.import_module(PACKAGES[kind])
    if kind == "stakeholder" and not getattr(package, "FAIR_AGENTS", False):
        _searched.discard(kind)
        raise RegistryError(
            f"the package 'agents' that Python found ({package.__file__}) belongs to another distribution "
            "(openai-agents uses the same name); install fair-agents in a virtual environment of its own"
        )
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
        importlib.import_module(f"{PACKAGES[kind]}.{module.name}")
    from importlib.metadata import entry_points

    for point in sorted(entry_points(group=f"fairagents.{kind}"), key=lambda found: found.name):
        if point.name not in _registered[kind]:
            _plugins[kind].setdefault(point.name, point)
