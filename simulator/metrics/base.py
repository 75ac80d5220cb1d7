"""What a metric is: a function of one evaluated round and of the rounds before it, on arrays.

A new metric is a decorated function in a file of its own (see `nash_welfare.py`); scenario files also take one from
`./file.py:name`. The column in rounds.csv or stakeholders.csv has the metric's name. Keyword-only arguments are its
parameters: a scenario sets them in a call such as `atkinson(epsilon=2)`, and the column is called by that.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, make_dataclass, replace
from functools import partial
from typing import Any, Literal, get_type_hints

import numpy as np

from simulator.metrics.history import History as History
from simulator.metrics.items import Items
from simulator.metrics.parameters import GroupColumn, NumberColumn, StakeholderName
from simulator.profile import Bools, Floats, Ints
from simulator.registry import register

Scope = Literal["stakeholder", "collective", "group"]
Horizon = Literal["round", "cumulative"]
Better = Literal["higher", "lower", "neither"]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One round as arrays over n stakeholders and m candidates: what every metric is computed from.

    Attributes:
        weights: `(n,)` weights in the vote.
        utilities: `(n, m)` true utilities in [0, 1] by the stated objectives.
        equal_utilities: `(n, m)` utilities of the same attributes and signs at equal weights.
        first_ranks: `(n, m)` tiers of each stakeholder's first proposal of the round (unranked = m).
        ranks: `(n, m)` tiers of its last proposal of the round.
        order: `(m,)` the collective ranking as item indices, best first.
        tiers: `(m,)` tier of every item in the collective ranking, ties kept.
        slate: `(k,)` delivered items as indices, best first.
        slate_utilities: `(n,)` mean true utility of the delivered items.
        history: the rounds so far, this one included.
        items: the candidates' names and columns.
        names: the stakeholders' names.
    """

    weights: Floats
    utilities: Floats
    equal_utilities: Floats
    first_ranks: Ints
    ranks: Ints
    order: Ints
    tiers: Ints
    slate: Ints
    slate_utilities: Floats
    history: History
    items: Items = field(default_factory=Items)
    names: tuple[str, ...] = ()

    @property
    def shares(self) -> Floats:
        """`(n,)` weights as shares of their sum; equal shares if nobody has weight."""
        total = self.weights.sum()
        return self.weights / total if total > 0 else np.full(len(self.weights), 1 / max(1, len(self.weights)))

    @property
    def satisfaction(self) -> Floats:
        """`(n,)` utility of the slate as a share of that of the own best slate; 1 if that is worth 0."""
        best = -np.partition(-self.utilities, len(self.slate) - 1, axis=1)[:, : len(self.slate)].mean(axis=1)
        return np.where(best > 0, np.minimum(self.slate_utilities / np.where(best > 0, best, 1.0), 1.0), 1.0)

    def own_best(self, count: int | None = None) -> Bools:
        """`(n, m)`: whether an item is among the stakeholder's own best `count` (k by default); no tie is broken."""
        wanted = min(count or len(self.slate), self.utilities.shape[1])
        threshold = np.partition(self.utilities, -wanted, axis=1)[:, -wanted]
        return np.asarray(self.utilities >= threshold[:, None])

    @property
    def ranked(self) -> Bools:
        """`(n,)`: whether the stakeholder's last ballot ranks anything."""
        return np.asarray((self.ranks < self.ranks.shape[1]).any(axis=1))


Compute = Callable[..., "Floats | float"]


@dataclass(frozen=True, slots=True)
class Metric:
    """A named metric.

    Attributes:
        name: the registry's name, with the parameters that are set; the column's name.
        scope: `stakeholder` metrics return `(n,)`, `collective` ones a number, `group` ones a number for the group that
            their parameter `group` names (one column for every group of the catalogue unless it is set).
        horizon: about this round, or about all rounds so far.
        better: which way is better.
        compute: the function; nan where the metric is undefined.
        description: its one-sentence meaning.
        standard: whether it is logged unless a scenario says which metrics are.
        group_column, number_columns: the columns of the catalogue that its parameters name.
        group: the group that its parameter `group` names.
        stakeholders: the stakeholders that its parameters name.
        soft: whether it is about groups of users and needs to know which user is thought to be in which.
    """

    name: str
    scope: Scope
    horizon: Horizon
    better: Better
    compute: Compute
    description: str
    standard: bool = False
    group_column: str | None = None
    number_columns: tuple[str, ...] = ()
    group: str | None = None
    stakeholders: tuple[str, ...] = ()
    soft: bool = False

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of its parameters."""
        return tuple(_keywords(self.compute))

    @property
    def needs_parameters(self) -> bool:
        """Whether one of its parameters has no default."""
        return any(parameter.default is parameter.empty for parameter in _keywords(self.compute).values())

    def with_parameters(self, params: Mapping[str, Any]) -> Metric:
        """The metric with its parameters set, under a name such as `atkinson(epsilon=2)`.

        Raises:
            ValueError: an unknown parameter, a missing one, or a value of the wrong kind.
        """
        if not params and not self.needs_parameters:
            return self
        from simulator.callsyntax import format_call
        from simulator.options import make_options

        hints = _hints(self.compute)
        kind = make_dataclass(
            "Parameters",
            [
                (name, hints[name], field() if keyword.default is keyword.empty else field(default=keyword.default))
                for name, keyword in _keywords(self.compute).items()
            ],
            kw_only=True,
        )
        made: Any = make_options(kind, params, f"metric '{self.name}'")
        values = {each.name: getattr(made, each.name) for each in fields(made)}
        columns = {wanted: [values[name] for name in values if hints[name] is wanted] for wanted in _COLUMNS}
        return replace(
            self,
            name=format_call(self.name, params),
            compute=partial(self.compute, **values),
            group_column=next(iter(columns[GroupColumn]), None),
            number_columns=tuple(columns[NumberColumn]),
            group=values.get("group") or None,
            stakeholders=tuple(columns[StakeholderName]),
        )

    def for_group(self, group: str) -> Metric:
        """A `group` metric, its other parameters set, for one group."""
        from simulator.callsyntax import format_call, parse_call

        name, params = parse_call(self.name)
        label = format_call(name, {**params, "group": group})
        return replace(self, name=label, compute=partial(self.compute, group=group), group=group)


_COLUMNS: tuple[Any, ...] = (GroupColumn, NumberColumn, StakeholderName)


def metric(
    name: str,
    *,
    scope: Scope,
    horizon: Horizon = "round",
    better: Better = "higher",
    standard: bool = False,
    soft: bool = False,
) -> Callable[[Compute], Metric]:
    """Make a function of an `Evaluation` the metric called `name`; its docstring's first line is the description."""

    def wrap(compute: Compute) -> Metric:
        first_line = (compute.__doc__ or "").strip().splitlines()[:1]
        description = first_line[0] if first_line else ""
        made = Metric(name, scope, horizon, better, compute, description, standard, soft=soft)
        return register("metric", name)(made)

    return wrap


def _keywords(compute: Compute) -> dict[str, inspect.Parameter]:
    parameters = inspect.signature(compute).parameters.values()
    return {each.name: each for each in parameters if each.kind is each.KEYWORD_ONLY}


def _hints(compute: Compute) -> dict[str, Any]:
    """The keywords' types alone: those of other arguments may stand in imports for type checkers."""
    written = {name: keyword.annotation for name, keyword in _keywords(compute).items()}
    given = {name: Any if kind is inspect.Parameter.empty else kind for name, kind in written.items()}
    return get_type_hints(
        type("Keywords", (), {"__annotations__": given}),
        globalns=getattr(compute, "__globals__", {}),
        include_extras=True,
    )
