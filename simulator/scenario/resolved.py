"""The keys of a scenario as they are in force, in a form that runs again from the run folder, without secrets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from simulator.callsyntax import format_call
from simulator.models.spec import parse_model, without_secrets
from simulator.registry import split_spec

if TYPE_CHECKING:
    from simulator.scenario.schema import ScenarioFile

Copy = Callable[[str], str]


def resolved_keys(file: ScenarioFile, copy: Copy) -> dict[str, Any]:
    """Every key with its value, defaults included.

    Args:
        file: a valid scenario.
        copy: gives the path of the run folder's copy of a file that the scenario names.
    """
    keys: dict[str, Any] = _plain(file)
    keys["catalogue"]["file"] = copy(file.catalogue.file)
    for attribute in keys["catalogue"]["attributes"].values():
        if "derive" in attribute:
            attribute["derive"] = _code(attribute["derive"], copy)
    if file.requests is not None:
        for name in ("file", "lists"):
            if name in keys["requests"]:
                keys["requests"][name] = copy(keys["requests"][name])
        if file.requests.membership is not None:
            keys["requests"]["membership"]["file"] = copy(file.requests.membership.file)
    for name in ("mediator", "protocol"):
        keys[name] = _code(keys[name], copy)
    keys["dynamics"] = [_code(spec, copy) for spec in keys["dynamics"]]
    if not isinstance(file.metrics, str):
        keys["metrics"] = [_code(spec, copy) for spec in keys["metrics"]]
    keys["model"] = _model(keys["model"])
    for party in keys["stakeholders"]:
        party["agent"] = _code(party["agent"], copy)
        party["tools"] = [_tool(spec, copy) for spec in party["tools"]]
        if "model" in party:
            party["model"] = _model(party["model"])
    return keys


def _plain(value: Any) -> Any:
    """Models as dicts without the keys that are not given; whatever else is null stays (a wish, a parameter)."""
    from pydantic import BaseModel

    if isinstance(value, BaseModel):
        given = {name: getattr(value, name) for name in type(value).model_fields}
        return {name: _plain(inner) for name, inner in given.items() if inner is not None}
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value


def _code(spec: Any, copy: Copy) -> Any:
    """A call or mapping whose `./file.py:Name`, and whose parameters that are files, name the run folder's copies."""
    name, given = split_spec("thing", spec)
    params = {key: copy(value) if isinstance(value, str) else value for key, value in given.items()}
    source, colon, attribute = name.rpartition(":")
    if colon and source.endswith(".py"):
        name = f"./{copy(source)}:{attribute}"
    elif params == given:
        return spec
    return {"name": name, **params} if isinstance(spec, dict) else format_call(name, params)


def _tool(spec: Any, copy: Copy) -> Any:
    name, params = split_spec("tool", spec)
    return format_call(name, {**params, "file": copy(str(params["file"]))}) if "file" in params else spec


def _model(spec: Any) -> Any:
    """A model without keys and passwords."""
    return without_secrets(spec) if isinstance(spec, dict) else str(parse_model(spec))
