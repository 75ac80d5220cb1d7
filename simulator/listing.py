"""What can be named in a scenario, as rows for `fairagents list`."""

from __future__ import annotations

import re
import textwrap
from typing import Any

from simulator.inputs.nearest import nearest
from simulator.inputs.yamlfile import InputError, Problem
from simulator.registry import aliases, everything

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


def mediator_lines(rows: Rows) -> list[str]:
    """The rows of mediators for a terminal of 80 columns: a line of facts each, its properties, and what it does."""
    width = max(len(row["name"]) for row in rows)
    lines = [f"{'name':<{width}}  needs     weights  cost             batches"]
    for row in rows:
        weights, batches = "yes" if row["weights"] else "no", "at once" if row["batched"] else "loops"
        lines.append(f"{row['name']:<{width}}  {row['needs']:<8}  {weights:<7}  {row['cost']:<15}  {batches}")
        properties = [*row["properties"], *(["a lottery"] if row["lottery"] else [])]
        also = [f"also called {', '.join(row['aliases'])}"] if row["aliases"] else []
        facts = "; ".join([*([", ".join(properties)] if properties else []), *also])
        for text in (facts, row["description"]):
            lines += textwrap.wrap(text, 80, initial_indent="    ", subsequent_indent="    ")
    return lines


def _mediators() -> Rows:
    return [
        {
            "name": name,
            "aliases": aliases("mediator", name),
            "needs": rule.needs,
            "weights": rule.uses_weights,
            "cost": rule.cost,
            "batched": rule.batched,
            "lottery": rule.lottery,
            "parameters": _parameters(rule),
            "properties": list(rule.properties),
            "rule": rule.rule,
            "description": _first_sentence(rule),
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
            "standard": metric.standard,
            "parameters": list(metric.parameters),
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


def _first_sentence(thing: Any) -> str:
    paragraph = " ".join((thing.__doc__ or "").strip().partition("\n\n")[0].split())
    found = re.match(r".*?[.:](?= [A-Z]|$)", paragraph)
    return found[0] if found else paragraph


def _first_line(thing: Any) -> str:
    return next(iter((thing.__doc__ or "").strip().splitlines()), "")
