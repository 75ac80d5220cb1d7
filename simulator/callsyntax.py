"""The call syntax in which people name a thing with parameters: `mes(completion=none)`, `openai(model=gpt-4o-mini)`.

    call  = name [ "(" [ key "=" value { "," key "=" value } ] ")" ]
    value = integer | float | true | false | null | "JSON string" | 'raw string' | bare text | call | "[" [ value { ","
    value } ] "]"

Bare text runs to the next comma, bracket or quote and is what people type for names, model names and URLs; lists hold
scalars only. A call as a value, as in `weighted(choice=copeland(alpha=1))`, is its text. Nothing is evaluated.
"""

import json
import math
import re
from collections.abc import Mapping
from typing import Any

_NAME = re.compile(r"[^()\[\],='\"]+")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BARE = re.compile(r"(?:[^()\[\],'\"]|(?<=//)\[[0-9A-Fa-f:.]+\])+")  # with an IPv6 host, http://[::1]:8000/v1
_INTEGER = re.compile(r"[+-]?[0-9]{1,4000}")  # int() refuses longer digit strings with an error about sys settings
_FLOAT = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))([eE][+-]?[0-9]+)?")
_QUOTED = re.compile(r"""\"(?:[^"\\]|\\.)*\"|'[^']*'""")
_SPACE = re.compile(r"\s*")
_PARAMETERS = re.compile(r"\(\s*(?:\)|[A-Za-z_][A-Za-z0-9_]*\s*=)")  # the start of what a call has in its brackets
_DEEPEST = 20
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}


class CallSyntaxError(ValueError):
    """Text that is not a name with parameters."""

    def __init__(self, text: str, position: int, expected: str) -> None:
        super().__init__(f"{_shorten(text)!r}: expected {expected} at character {position + 1}")
        self.text = text
        self.position = position
        self.expected = expected


def parse_call(text: str) -> tuple[str, dict[str, Any]]:
    """The name and the parameters of a call such as `mes(completion=none)`.

    Raises:
        CallSyntaxError: The text does not follow the grammar, or names a parameter twice.
    """
    reader = _Reader(text)
    name = reader.take(_NAME, "a name").strip()
    if not name:
        raise CallSyntaxError(text, 0, "a name")
    params = reader.parameters() if reader.accept("(") else {}
    reader.end()
    return name, params


def format_call(name: str, params: Mapping[str, Any]) -> str:
    """The text that `parse_call` reads back as the same name and parameters.

    Raises:
        ValueError: The name, a key or a value cannot be written in this syntax.
    """
    text = name if not params else f"{name}({', '.join(f'{key}={_format(value)}' for key, value in params.items())})"
    if parse_call(text)[0] != name or not all(_KEY.fullmatch(key) for key in params):
        raise ValueError(f"{name!r} with parameters {sorted(params)} cannot be written as a call")
    return text


def split_calls(text: str) -> list[str]:
    """Split `borda, mes(completion=none, approve=top-3)` at the commas between calls."""
    calls, depth, start = [], 0, 0
    unquoted = _QUOTED.sub(lambda quoted: "_" * len(quoted[0]), text)
    for place, letter in enumerate(unquoted):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            calls.append(text[start:place].strip())
            start = place + 1
    return [*calls, text[start:].strip()]


class _Reader:
    """A cursor over the text; every method skips leading white space."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def skip(self) -> int:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.at

    def accept(self, token: str) -> bool:
        found = self.text.startswith(token, self.skip())
        self.at += len(token) if found else 0
        return found

    def require(self, token: str, expected: str) -> None:
        if not self.accept(token):
            raise CallSyntaxError(self.text, self.at, expected)

    def take(self, pattern: re.Pattern[str], expected: str) -> str:
        match = pattern.match(self.text, self.skip())
        if match is None:
            raise CallSyntaxError(self.text, self.at, expected)
        self.at = match.end()
        return match.group()

    def end(self) -> None:
        if self.skip() != len(self.text):
            raise CallSyntaxError(self.text, self.at, "the end")

    def parameters(self) -> dict[str, Any]:
        """What follows an opening bracket, to the closing one."""
        params: dict[str, Any] = {}
        while not self.accept(")"):
            if params:
                self.require(",", "',' or ')'")
            start = self.skip()
            key = self.take(_KEY, "a parameter name")
            if key in params:
                raise CallSyntaxError(self.text, start, f"{key!r} only once")
            self.require("=", f"'=' after {key!r}")
            params[key] = self.value()
        return params

    def value(self) -> Any:
        if not self.accept("["):
            return self.scalar()
        items: list[Any] = []
        while not self.accept("]"):
            if items:
                self.require(",", "',' or ']'")
            items.append(self.scalar())
        return items

    def scalar(self) -> Any:
        start = self.skip()
        if self.text.startswith('"', start):
            try:
                string, self.at = json.JSONDecoder().raw_decode(self.text, start)
            except json.JSONDecodeError as error:
                raise CallSyntaxError(self.text, error.pos, "a string in double quotes, escaped as in JSON") from None
            return string
        if self.accept("'"):
            close = self.text.find("'", self.at)
            if close < 0:
                raise CallSyntaxError(self.text, start, "a closing quote")
            string, self.at = self.text[self.at : close], close + 1
            return string
        word = self.take(_BARE, "a value").strip()
        if _PARAMETERS.match(self.text, self.at):
            self.depth += 1
            if self.depth > _DEEPEST:
                raise CallSyntaxError(self.text, self.at, f"at most {_DEEPEST} calls inside each other")
            self.require("(", "'('")
            self.parameters()
            self.depth -= 1
            return self.text[start : self.at]
        if word in _WORDS:
            return _WORDS[word]
        if _INTEGER.fullmatch(word):
            return int(word)
        if _FLOAT.fullmatch(word):
            number = float(word)
            if not math.isfinite(number):
                raise CallSyntaxError(self.text, start, "a finite number")
            return number
        return word


def _format(value: Any) -> str:
    match value:
        case None | bool():
            return json.dumps(value)
        case int():
            return str(value)
        case float() if math.isfinite(value):
            return repr(value)
        case str():
            return value if _is_bare(value) or _is_call(value) else json.dumps(value, ensure_ascii=False)
        case list() | tuple() if not any(isinstance(item, list | tuple) for item in value):
            return f"[{', '.join(_format(item) for item in value)}]"
    raise ValueError(f"{value!r} cannot be written as a parameter")


def _is_bare(text: str) -> bool:
    if not _BARE.fullmatch(text) or text != text.strip() or not text.isprintable():
        return False
    return text not in _WORDS and not _INTEGER.fullmatch(text) and not _FLOAT.fullmatch(text)


def _is_call(text: str) -> bool:
    """Whether the text is read back as a call, and so as itself."""
    if not text.endswith(")") or not text.isprintable():
        return False
    reader = _Reader(text)
    try:
        return bool(reader.scalar() == text and reader.at == len(text))
    except CallSyntaxError:
        return False


def _shorten(text: str, limit: int = 80) -> str:
    return text if len(text) <= limit else text[: limit - 3] + "..."
