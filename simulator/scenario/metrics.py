"""The metrics that a scenario logs, and the columns of the catalogue that their parameters name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator.catalogue import Catalogue, CatalogueError
from simulator.inputs.nearest import nearest
from simulator.inputs.yamlfile import KeyPath
from simulator.metrics.base import Metric
from simulator.metrics.items import Columns
from simulator.registry import everything
from simulator.rounds.evaluation import round_columns, stakeholder_columns

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from simulator.scenario.check import Check

MOST_GROUPS = 50  # columns that one metric may make


def check_metrics(check: Check, catalogue: Catalogue | None, columns: Mapping[str, str]) -> tuple[Metric, ...]:
    """The metrics in the order of their naming; `standard` and `all` stand for several.

    Args:
        check: keeps what is wrong.
        catalogue: the items, as far as they can be read.
        columns: the column behind every attribute that is one.
    """
    taken = {*round_columns(()), *stakeholder_columns(())}
    named = check.file.metrics
    made: list[Metric] = []
    for place, spec in enumerate([named] if isinstance(named, str) else named):
        key: KeyPath = ("metrics", place)
        for metric in _meant(check, key, spec, catalogue, columns):
            if metric.name in taken:
                check.say(key, f"there is a column '{metric.name}' already; name a metric once, yours by a new name")
            taken.add(metric.name)
            made.append(metric)
    return tuple(made)


def _meant(
    check: Check, key: KeyPath, spec: Any, catalogue: Catalogue | None, columns: Mapping[str, str]
) -> list[Metric]:
    if spec in ("all", "standard"):
        every = everything("metric", code=check.code).values()
        return [metric for metric in every if not metric.needs_parameters and (spec == "all" or metric.standard)]
    metric = check.thing(key, "metric", spec)
    if metric is None:
        return []
    if metric.soft and (check.file.requests is None or check.file.requests.membership is None):
        check.say(key, f"'{metric.name}' needs the key 'requests.membership': who is thought to be in which group")
    names = [party.name for party in check.file.stakeholders]
    for name in metric.stakeholders:
        if name not in names:
            check.say(key, f"'{metric.name}': there is no stakeholder '{name}'{nearest(name, names)}")
    if catalogue is None or not _readable(check, key, metric, catalogue, columns):
        return [] if metric.scope == "group" else [metric]
    return _by_group(check, key, metric, Columns(catalogue, columns)) if metric.scope == "group" else [metric]


def _readable(check: Check, key: KeyPath, metric: Metric, catalogue: Catalogue, columns: Mapping[str, str]) -> bool:
    """Whether the catalogue has the columns that the metric reads, with numbers in them where it reads numbers."""
    wanted = [*([] if metric.group_column is None else [metric.group_column]), *metric.number_columns]
    known = [*catalogue.columns, *(name for name in columns if name not in catalogue.columns)]
    missing = [name for name in wanted if name not in known]
    for name in missing:
        derived = " (an attribute that is derived is none)" if name in check.known_attributes else ""
        check.say(key, f"the catalogue has no column '{name}'{derived}{nearest(name, known, limit=40)}")
    if missing:
        return False
    labels = {name: attribute.labels for name, attribute in check.known_attributes.items() if attribute.labels}
    read = Columns(catalogue, columns, labels)
    try:
        for name in metric.number_columns:
            read.numbers(name)
    except CatalogueError as error:
        line, fault = error.faults[0]
        check.say(key, f"'{metric.name}' needs numbers, but line {line} of {error.path.name}: {fault}")
        return False
    return True


def _by_group(check: Check, key: KeyPath, metric: Metric, columns: Columns) -> list[Metric]:
    """The metric for the group that it names, or for every group."""
    assert metric.group_column is not None
    groups, _ = columns.groups(metric.group_column)
    if metric.group is not None:
        if metric.group in groups:
            return [metric]
        check.say(key, f"column '{metric.group_column}' has no '{metric.group}'{nearest(metric.group, list(groups))}")
        return []
    if len(groups) > MOST_GROUPS:
        message = f"column '{metric.group_column}' has {len(groups)} groups, more than {MOST_GROUPS} columns"
        check.say(key, f"{message}; name the ones that you mean, one by one, with group=...")
        return []
    return [metric.for_group(group) for group in groups]
