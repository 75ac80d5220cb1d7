"""What can be named in a scenario, as rows for `fairagents list`."""

from __future__ import annotations

from typing import Any

from simulator.inputs.nearest import nearest
from simulator.inputs.yamlfile import InputError, Problem
from simulator.registry import everything

Rows = list[dict[str, Any]]


def listing(what: str) -> Rows:
    """The rows of one kind of thing, each with a `name`.

    Raises:
        InputError: there is no such kind.
    """
    makers = {
        "mediators": _mediators,
        "metrics": _metrics,
        "protocols": lambda: _described("protocol"),
        "dynamics": lambda: _described("dynamic"),
        "derivations": lambda: _described("derivation"),
        "stakeholders": lambda: _described("stakeholder"),
        "scenarios": _scenarios,
        "models": _models,
    }
    if what not in makers:
        raise InputError([Problem(f"list {what}", f"there is nothing of this kind{nearest(what, list(makers))}")])
    return makers[what]()


def _mediators() -> Rows:
    return [
        {
            "name": name,
            "needs": rule.needs,
            "weights": rule.uses_weights,
            "cost": rule.cost,
            "properties": list(rule.properties),
            "rule": rule.rule,
        }
        for name, rule in _things("mediator")
    ]


def _metrics() -> Rows:
    return [
        {
            "name": name,
            "scope": metric.scope,
            "horizon": metric.horizon,
            "better": metric.better,
            "description": metric.description,
        }
        for name, metric in _things("metric")
    ]


def _described(kind: str) -> Rows:
    return [
        {"name": name, "parameters": _parameters(thing), "description": _first_line(thing)}
        for name, thing in _things(kind)
    ]


def _scenarios() -> Rows:
    from simulator.inputs.yamlfile import read_yaml
    from simulator.scenario import shipped_scenarios

    rows = []
    for name, path in shipped_scenarios().items():
        data = read_yaml(path).data
        rows.append({"name": name, "title": data.get("title", ""), "stakeholders": _names_of(data)})
    return rows


def _models() -> Rows:
    from simulator.models.spec import DESCRIPTIONS, PARAMETERS

    return [
        {"name": name, "parameters": sorted(PARAMETERS[name]), "description": DESCRIPTIONS[name]}
        for name in sorted(PARAMETERS)
    ]


def _names_of(data: dict[str, Any]) -> list[str]:
    return [str(entry.get("name")) for entry in data.get("stakeholders", [])]


def _things(kind: str) -> list[tuple[str, Any]]:
    return list(everything(kind).items())


def _parameters(thing: Any) -> list[str]:
    import dataclasses

    holder = getattr(thing, "Options", thing)
    return (
        [field.name for field in dataclasses.fields(holder) if field.init] if dataclasses.is_dataclass(holder) else []
    )


def _first_line(thing: Any) -> str:
    return next(iter((thing.__doc__ or "").strip().splitlines()), "")
