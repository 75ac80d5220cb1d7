"""From a model's specification to a model that can be asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, cast

from simulator.models.base import Model
from simulator.models.spec import ModelSpec, parse_model

_MAKERS: Mapping[str, tuple[str, str]] = {  # imported on use: each pulls in AutoGen, some an engine
    "component": ("simulator.models.component", "create_component"),
    "embedded": ("simulator.models.embedded", "create_embedded"),
    "fake": ("simulator.models.fake", "create_fake"),
    "ollama": ("simulator.models.ollama", "create_ollama"),
    "openai": ("simulator.models.openai", "create_openai"),
}


def create_model(spec: ModelSpec | str | Mapping[str, Any], *, seed: int) -> Model | None:
    """The model that a specification names, checked to be there; None for `none`.

    Args:
        spec: The specification, or what `parse_model` makes one of.
        seed: What the model's own randomness follows, where it has any.

    Raises:
        ModelSpecError: The specification is wrong.
        ModelUnavailable: Weights, engine, key or server are missing; the message says what to do.
    """
    spec = spec if isinstance(spec, ModelSpec) else parse_model(spec)
    if spec.name == "none":
        return None
    module, maker = _MAKERS[spec.name]
    create = cast(Callable[..., Model], getattr(import_module(module), maker))
    return create(spec, seed=seed)
