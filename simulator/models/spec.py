"""How a model is named: a short name with parameters, or AutoGen's declarative component."""

import difflib
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from simulator.callsyntax import CallSyntaxError, format_call, parse_call
from simulator.models.base import WAYS

FAULTS = (
    "none",
    "rubbish",
    "empty",
    "html",
    "refuse",
    "never",
    "error",
    "unknown_item",
    "duplicate",
    "omit",
)
_SECRET = re.compile(r"(^|_)(key|token|secret|password|authorization|headers|credential)$", re.IGNORECASE)
CENSORED = "***"


class ModelSpecError(ValueError):
    """A model specification that names no model or gives it wrong parameters."""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model's short name and parameters, checked.

    Attributes:
        name: A key of `PARAMETERS`.
        params: The given parameters alone, without defaults; may hold a component's keys, so it stays out of the repr.
    """

    name: str
    params: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __str__(self) -> str:
        """The call syntax for it, with every secret censored; for logs."""
        if self.name == "component":
            return f"{self.params['provider'].rpartition('.')[2]}({_config_label(self.params['config'])})"
        return format_call(self.name, without_secrets(self.params))


@dataclass(frozen=True, slots=True)
class _Kind:
    """What a parameter's value must be."""

    words: str
    accepts: Callable[[Any], bool]


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_url(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    try:
        parts = urlsplit(value)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False


_TEXT = _Kind("a text", lambda value: isinstance(value, str) and bool(value.strip()))
_COUNT = _Kind("a whole number of at least 1", lambda value: _is_whole(value) and value >= 1)
_COUNT_OR_ZERO = _Kind("a whole number of at least 0", lambda value: _is_whole(value) and value >= 0)
_POSITIVE = _Kind("a number above 0", lambda value: _is_number(value) and value > 0)
_NOT_NEGATIVE = _Kind("a number of at least 0", lambda value: _is_number(value) and value >= 0)
_FLAG = _Kind("true or false", lambda value: isinstance(value, bool))
_URL = _Kind("a URL such as http://127.0.0.1:8000/v1", _is_url)


def _one_of(words: Iterable[str]) -> _Kind:
    allowed = tuple(words)
    return _Kind(f"one of {', '.join(allowed)}", lambda value: isinstance(value, str) and value in allowed)


_ANY_MODEL = {"way": _one_of(WAYS), "timeout": _POSITIVE}
_SERVER = {
    **_ANY_MODEL,
    "model": _TEXT,
    "base_url": _URL,
    "temperature": _NOT_NEGATIVE,
    "max_tokens": _COUNT,
    "retries": _COUNT_OR_ZERO,
    "tools": _FLAG,
}
PARAMETERS: Mapping[str, Mapping[str, _Kind]] = {
    "embedded": {**_ANY_MODEL, "workers": _COUNT, "context": _COUNT, "max_tokens": _COUNT},
    "fake": {**_ANY_MODEL, "fault": _one_of(FAULTS), "delay": _NOT_NEGATIVE},
    "none": {},
    "ollama": _SERVER,
    "openai": {**_SERVER, "key_variable": _TEXT},
}
DESCRIPTIONS: Mapping[str, str] = {
    "embedded": "a small language model that runs in this process, from weights that a package holds",
    "fake": "made-up answers, always the same for the same seed and question, without network: for tests and demos",
    "none": "no language model: every stakeholder ranks by its objective",
    "ollama": "a model that an Ollama server on this or another machine holds",
    "openai": "a model behind any OpenAI-compatible server (vLLM, llama.cpp, LM Studio), or OpenAI's own with a key",
}
_REQUIRED: Mapping[str, tuple[str, ...]] = {"openai": ("model",), "ollama": ("model",)}


def parse_model(spec: str | Mapping[str, Any]) -> ModelSpec:
    """The model that a text or mapping names.

    A text is a call: `embedded`, `fake(fault=rubbish)`, `openai(model=NAME, base_url=http://127.0.0.1:8000/v1)`. A
    mapping is the same written out, `{name: openai, model: ...}`, or AutoGen's component, `{provider: ..., config:
    {...}}`.

    Raises:
        ModelSpecError: An unknown name or parameter, a wrong value, a missing parameter; the message names what would
        be right.
    """
    if isinstance(spec, str):
        try:
            name, params = parse_call(spec)
        except CallSyntaxError as error:
            raise ModelSpecError(f"model {error}") from None
        return _checked(name, params)
    if not isinstance(spec, Mapping):
        raise ModelSpecError(f"a model is a text or a mapping, not {type(spec).__name__}")
    if "provider" in spec:
        return _component(spec)
    params = dict(spec)
    given = params.pop("name", None)
    if not isinstance(given, str):
        raise ModelSpecError(
            f"a model mapping needs `name` (one of {', '.join(PARAMETERS)}) or `provider` with `config`"
        )
    return _checked(given, params)


def without_secrets(value: Any) -> Any:
    """A copy of parameters in which keys, tokens, passwords and headers are replaced by `***`, also inside URLs."""
    if isinstance(value, Mapping):
        return {
            key: CENSORED if isinstance(key, str) and _SECRET.search(key) else without_secrets(inner)
            for key, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [without_secrets(inner) for inner in value]
    return _without_credentials(value) if isinstance(value, str) and "@" in value else value


def secrets_of(value: Any) -> tuple[str, ...]:
    """Every text that `without_secrets` takes out, and its words one by one: a header is `Bearer KEY`."""
    if isinstance(value, Mapping):
        return tuple(
            secret
            for key, inner in value.items()
            for secret in (_words(inner) if isinstance(key, str) and _SECRET.search(key) else secrets_of(inner))
        )
    if isinstance(value, list | tuple):
        return tuple(secret for inner in value for secret in secrets_of(inner))
    if not isinstance(value, str) or _without_credentials(value) == value:
        return ()
    login = value.partition("://")[2].partition("/")[0].rpartition("@")[0]
    return (login, login.partition(":")[2])


def _words(value: Any) -> tuple[str, ...]:
    if isinstance(value, Mapping):
        return _words(list(value.values()))
    if isinstance(value, list | tuple):
        return tuple(word for inner in value for word in _words(inner))
    return (str(value), *str(value).split())


def _without_credentials(text: str) -> str:
    try:
        parts = urlsplit(text)
    except ValueError:
        return CENSORED
    if not parts.netloc or "@" not in parts.netloc:
        return text
    return urlunsplit(parts._replace(netloc=f"{CENSORED}@{parts.netloc.rpartition('@')[2]}"))


def _checked(name: str, params: Mapping[str, Any]) -> ModelSpec:
    if name not in PARAMETERS:
        raise ModelSpecError(f"unknown model {name!r}{_nearest(name, PARAMETERS)}; models are {', '.join(PARAMETERS)}")
    known = PARAMETERS[name]
    for key, value in params.items():
        if key not in known:
            allowed = f"it takes {', '.join(sorted(known))}" if known else "it takes no parameters"
            raise ModelSpecError(f"model {name} has no parameter {key!r}{_nearest(str(key), known)}; {allowed}")
        if not known[key].accepts(value):
            shown = without_secrets({key: value})[key]
            near = _nearest(str(value), known[key].words.removeprefix("one of ").split(", "))
            raise ModelSpecError(f"{key} of model {name} must be {known[key].words}, not {shown!r}{near}")
    for key in _REQUIRED.get(name, ()):
        if key not in params:
            raise ModelSpecError(f"model {name} needs {key!r}, as in {name}({key}=NAME)")
    return ModelSpec(name, dict(params))


def _component(spec: Mapping[str, Any]) -> ModelSpec:
    known = ("provider", "config", "component_type", "version", "component_version", "description", "label")
    for key in spec:
        if key not in known:
            raise ModelSpecError(f"an AutoGen component has no key {key!r}{_nearest(str(key), known)}")
    provider, config = spec["provider"], spec.get("config", {})
    if not isinstance(provider, str) or "." not in provider.strip("."):
        raise ModelSpecError(f"`provider` must be the dotted path of an AutoGen model client, not {provider!r}")
    if not isinstance(config, Mapping):
        raise ModelSpecError(f"`config` of {provider} must be a mapping, not {type(config).__name__}")
    return ModelSpec("component", {**spec, "config": dict(config)})


def _config_label(config: Mapping[str, Any]) -> str:
    shown = {key: config[key] for key in ("model", "base_url") if isinstance(config.get(key), str)}
    return ", ".join(f"{key}={value}" for key, value in without_secrets(shown).items())


def _nearest(word: str, candidates: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(candidates), n=1)
    return f", did you mean {close[0]!r}?" if close else ""
