"""What a metric is: a function of one evaluated round and of the rounds before it, on arrays.

A new metric is a decorated function in a file of its own (see `nash_welfare.py`); scenario files also take one from
`./file.py:name`. The column in rounds.csv or stakeholders.csv has the metric's name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from simulator.profile import Bools, Floats, Ints
from simulator.registry import register

Scope = Literal["stakeholder", "collective"]
Horizon = Literal["round", "cumulative"]
Better = Literal["higher", "lower", "neither"]


class History:
    """What the delivered slates gave to the n stakeholders, round by round, the current round included.

    Sums and spells are kept as the rounds come in, so a cumulative metric costs the same in round 10,000 as in round 1.

    Attributes:
        total: `(n,)` sum of the utilities of all rounds so far.
        dry_spell: `(n,)` rounds since the slate last held an item of the stakeholder's own top k.
        longest_dry_spell: `(n,)` the greatest `dry_spell` there has been.
    """

    def __init__(self, n: int) -> None:
        self._utilities = np.zeros((64, n))
        self._served = np.zeros((64, n), dtype=np.bool_)
        self._length = 0
        self.total: Floats = np.zeros(n)
        self.dry_spell: Ints = np.zeros(n, dtype=np.int64)
        self.longest_dry_spell: Ints = np.zeros(n, dtype=np.int64)

    def append(self, slate_utilities: Floats, served: Bools) -> None:
        """Add one round: `(n,)` utilities of its slate and whether it holds an item of each stakeholder's own top k."""
        if self._length == len(self._utilities):
            self._utilities = np.concatenate([self._utilities, np.zeros_like(self._utilities)])
            self._served = np.concatenate([self._served, np.zeros_like(self._served)])
        self._utilities[self._length] = slate_utilities
        self._served[self._length] = served
        self._length += 1
        self.total = self.total + slate_utilities
        self.dry_spell = np.where(served, 0, self.dry_spell + 1)
        self.longest_dry_spell = np.maximum(self.longest_dry_spell, self.dry_spell)

    def __len__(self) -> int:
        return self._length

    @property
    def utilities(self) -> Floats:
        """`(t, n)` utilities of the delivered slates, oldest first."""
        return self._utilities[: self._length]

    @property
    def served(self) -> Bools:
        """`(t, n)`: whether the slate held at least one item of the stakeholder's own top k."""
        return self._served[: self._length]

    @property
    def mean(self) -> Floats:
        """`(n,)` mean utility over all rounds so far; nan before the first."""
        return self.total / self._length if self._length else np.full_like(self.total, np.nan)


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
        slate: `(k,)` delivered items as indices.
        slate_utilities: `(n,)` mean true utility of the delivered items.
        history: the rounds so far, this one included.
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


Compute = Callable[[Evaluation], "Floats | float"]


@dataclass(frozen=True, slots=True)
class Metric:
    """A named metric.

    Attributes:
        name: the registry's name and the column's name.
        scope: `stakeholder` metrics return `(n,)`, `collective` ones a number.
        horizon: about this round, or about all rounds so far.
        better: which way is better.
        compute: the function; nan where the metric is undefined.
        description: its one-sentence meaning.
    """

    name: str
    scope: Scope
    horizon: Horizon
    better: Better
    compute: Compute
    description: str


def metric(
    name: str, *, scope: Scope, horizon: Horizon = "round", better: Better = "higher"
) -> Callable[[Compute], Metric]:
    """Make a function of an `Evaluation` the metric called `name`; its docstring's first line is the description."""

    def wrap(compute: Compute) -> Metric:
        first_line = (compute.__doc__ or "").strip().splitlines()[:1]
        made = Metric(name, scope, horizon, better, compute, first_line[0] if first_line else "")
        return register("metric", name)(made)

    return wrap
