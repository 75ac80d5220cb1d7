"""A YAML file as plain data that remembers where every key stands, so that a message can name the line."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from simulator.inputs.textfile import TextError, read_text

KeyPath = tuple[str | int, ...]
MOST_NODES = 100_000
MOST_DEPTH = 40
LONGEST_PLACE = 500
LONGEST_MESSAGE = 2000

_TOO_LARGE = "is nested too deeply or too large for a scenario file"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with an input.

    Attributes:
        place: `file:line`, or the command line's own words.
        message: what was found and what would be right.
    """

    place: str
    message: str

    def __str__(self) -> str:
        """One line: what is not printable, which could also move a terminal's cursor, is escaped."""
        place = self.place if len(self.place) <= LONGEST_PLACE else f"{self.place[: LONGEST_PLACE - 3]}..."
        line = f"{place}: {self.message}"
        line = line if len(line) <= LONGEST_MESSAGE else f"{line[: LONGEST_MESSAGE - 3]}..."
        return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in line)


class InputError(ValueError):
    """Every problem of an input at once; the command line prints them and exits with 2."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[Problem, ...]]]:
        """Its problems, not its text, are what it is made of: it comes back whole from another process."""
        return type(self), (self.problems,)


class _TooDeep(Exception):
    def __init__(self, line: int) -> None:
        self.line = line


class _Loader(yaml.SafeLoader):
    """Stops at a depth that no scenario has, before Python's own recursion limit does."""

    _depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise _TooDeep(self.peek_event().start_mark.line + 1)  # type: ignore[no-untyped-call]  # the stubs leave it out
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


class YamlFile:
    """Plain data read from YAML, with the place of every key.

    Attributes:
        path: the file.
        data: dicts with text keys, lists and scalars.
        faults: what is wrong with single keys (one twice, a value that cannot be read), while the rest is in `data`.
        unread: keys whose value could not be read and is None instead.

    Raises:
        InputError: the text is not YAML at all, or nested too deeply or too large.
    """

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.faults: list[Problem] = []
        self.unread: set[KeyPath] = set()
        self._places: dict[KeyPath, str] = {(): f"{path}:1"}
        self._count = 0
        try:
            loader = _Loader(text)
            node = loader.get_single_node()
            self.data: Any = {} if node is None else self._plain(node, (), loader)
        except yaml.YAMLError as error:
            raise InputError([Problem(f"{path}:{_line(error, text)}", f"is not YAML: {_reason(error)}")]) from None
        except _TooDeep as error:
            raise InputError([Problem(f"{path}:{error.line}", _TOO_LARGE)]) from None

    def place(self, key: KeyPath) -> str:
        """`file:line` of a key, or of the nearest key above it that stands in the file."""
        while key not in self._places:
            key = key[:-1]
        return self._places[key]

    def set(self, assignment: str, adapt: Callable[[Any], Any] = lambda value: value) -> None:
        """Override one key by `KEY=VALUE`: dots separate keys, a list's element is named by its number or its `name`.

        Args:
            assignment: the words; the value is YAML where it reads as such, else text.
            adapt: is given the value before it is put in place.

        Raises:
            InputError: no `=`, or a key on the way that is neither a mapping nor a list element.
        """
        dotted, equals, text = assignment.partition("=")
        if not equals or not dotted.strip():
            form = "needs the form KEY=VALUE, such as rounds=20 or stakeholders.tourist.weight=2"
            raise InputError([Problem(f"--set {assignment}", form)])
        dotted = dotted.strip()
        self.put(dotted.split("."), adapt(_value(text)), f"--set {dotted}")

    def put(self, keys: Sequence[str], value: Any, place: str) -> None:
        """Override one key; the place is what messages about it will name."""
        here: Any = self.data
        path: KeyPath = ()
        for key in keys[:-1]:
            step = _step(here, key, path, place)
            path = (*path, step)
            if isinstance(here, dict) and here.get(step) is None:
                here[step] = {}
                self._places[path] = place
            here = here[step]
        step = _step(here, keys[-1], path, place)
        here[step] = value
        path = (*path, step)
        self.unread = {key for key in self.unread if key[: len(path)] != path}
        for known in [known for known in self._places if known[: len(path)] == path]:
            del self._places[known]
        self._places[path] = place

    def _plain(self, node: yaml.Node, path: KeyPath, loader: yaml.SafeLoader) -> Any:
        self._count += 1
        place = f"{self.path}:{node.start_mark.line + 1}"
        if self._count > MOST_NODES or len(path) > MOST_DEPTH:
            raise InputError([Problem(place, _TOO_LARGE)])
        self._places.setdefault(path, place)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path, loader)
        if isinstance(node, yaml.SequenceNode):
            return [self._plain(child, (*path, i), loader) for i, child in enumerate(node.value)]
        try:
            return loader.construct_object(node)
        except Exception as error:  # PyYAML's constructors fail in many ways, such as KeyError for `!!bool maybe`
            found = node.value if len(node.value) <= 60 else f"{node.value[:57]}..."
            tag = node.tag.removeprefix("tag:yaml.org,2002:")
            why = _reason(error) if isinstance(error, yaml.YAMLError) else f"it is no {tag}"
            self.faults.append(Problem(place, f"{found!r} cannot be read: {why}; put text in quotes"))
            self.unread.add(path)
            return None

    def _mapping(self, node: yaml.MappingNode, path: KeyPath, loader: yaml.SafeLoader) -> dict[str, Any]:
        plain: dict[str, Any] = {}
        for key_node, value_node in node.value:
            place = f"{self.path}:{key_node.start_mark.line + 1}"
            if not isinstance(key_node, yaml.ScalarNode):
                self.faults.append(Problem(place, "a key must be a word, not a list or a mapping"))
                continue
            key = str(key_node.value)
            here = (*path, key)
            if key_node.tag == "tag:yaml.org,2002:merge":
                self.faults.append(Problem(place, "merge keys (<<) are not read; write the keys out"))
            elif key in plain:
                first = self._places[here].rpartition(":")[2]
                self.faults.append(Problem(place, f"key '{key}' stands twice (first in line {first})"))
            else:
                self._places[here] = place
                plain[key] = self._plain(value_node, here, loader)
        return plain


def read_yaml(path: Path) -> YamlFile:
    """Read a YAML file.

    Raises:
        InputError: the file cannot be read, is not UTF-8 or not YAML. What is wrong with single keys is in `faults`.
    """
    try:
        return YamlFile(path, read_text(path))
    except TextError as error:
        place = str(path) if error.line is None else f"{path}:{error.line}"
        raise InputError([Problem(place, error.message)]) from None


def _line(error: yaml.YAMLError, text: str) -> int:
    mark = getattr(error, "problem_mark", None)
    if mark is not None:
        return int(mark.line) + 1
    position = getattr(error, "position", 0)
    return text.count("\n", 0, position) + 1


def _reason(error: yaml.YAMLError) -> str:
    if isinstance(error, yaml.reader.ReaderError):
        return f"the character {chr(error.character)!a} is not allowed in it"
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    if problem == "mapping values are not allowed here":
        return f"{problem}; put text that contains ': ' in quotes"
    began, ended = getattr(error, "context_mark", None), getattr(error, "problem_mark", None)
    if began is None or ended is None or began.line == ended.line:
        return str(problem)
    return f"{problem} ({getattr(error, 'context', '')}, which starts in line {began.line + 1})"


def _value(text: str) -> Any:
    """What `text` means as YAML; words, and text that is no YAML, mean themselves (`#` starts no comment)."""
    if not text.strip():
        return ""
    try:
        read = YamlFile(Path("--set"), text)
    except InputError:
        return text
    plain = text.strip()
    words = isinstance(read.data, str) and plain[0] not in "'\""
    return plain if words or read.faults or plain.startswith("#") else read.data


def _step(here: Any, key: str, path: KeyPath, place: str) -> str | int:
    """The key or index by which `key` goes one level down."""
    if isinstance(here, list):
        return _element(here, key, place)
    if isinstance(here, dict):
        return key
    raise InputError([Problem(place, f"'{'.'.join(map(str, path))}' holds no keys of its own")])


def _element(items: list[Any], key: str, place: str) -> int:
    names = [item.get("name") if isinstance(item, Mapping) else None for item in items]
    if key in names:
        return names.index(key)
    if key.isdecimal() and len(key) < 10 and int(key) < len(items):
        return int(key)
    known = [str(name) for name in names if name is not None]
    close = difflib.get_close_matches(key, known, n=1)
    hint = f"; did you mean '{close[0]}'?" if close else f"; known: {', '.join(known)}" if known else ""
    raise InputError([Problem(place, f"there is no element '{key}'{hint}")])
