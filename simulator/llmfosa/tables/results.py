"""What methods reached, seed by seed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simulator.compare.statistics import Interval, interval
from simulator.llmfosa.tables.order import column_order
from simulator.profile import Floats

Setting = tuple[str, float | None]  # a method and its fairness weight


@dataclass(frozen=True)
class Result:
    """One training, evaluated.

    Attributes:
        method: its name.
        seed: of the training.
        figures: by name, such as "ndcg@10"; nan where there is none.
        weight: the weight of fairness, where a method was trained with several; None otherwise.
    """

    method: str
    seed: int
    figures: Mapping[str, float]
    weight: float | None = None


@dataclass(frozen=True)
class Results:
    """Results of methods (with weights) and seeds.

    Raises:
        ValueError: a method has two results for one weight and seed.
    """

    rows: tuple[Result, ...]

    def __post_init__(self) -> None:
        seen: set[tuple[str, float | None, int]] = set()
        for row in self.rows:
            key = (row.method, row.weight, row.seed)
            if key in seen:
                weight = "" if row.weight is None else f" with weight {row.weight:g}"
                raise ValueError(f"method '{row.method}'{weight} has two results for seed {row.seed}")
            seen.add(key)

    @classmethod
    def of(cls, rows: Iterable[Result]) -> Results:
        """Results in any collection."""
        return cls(tuple(rows))

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """In order of appearance."""
        return tuple(dict.fromkeys(row.method for row in self.rows))

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """Methods in order of appearance, each with its weights from small to large."""
        found = dict.fromkeys((row.method, row.weight) for row in self.rows)
        return tuple(
            sorted(found, key=lambda each: (self.methods.index(each[0]), -np.inf if each[1] is None else each[1]))
        )

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """All figures that any result has, in the order of a table."""
        return column_order(name for row in self.rows for name in row.figures)

    @property
    def weighted(self) -> bool:
        """Whether any method was trained with a weight."""
        return any(row.weight is not None for row in self.rows)

    def seeds(self, setting: Setting) -> tuple[int, ...]:
        """The seeds of a method with a weight, in order of appearance."""
        return tuple(row.seed for row in self._of[setting])

    def summary(self, setting: Setting, metric: str) -> Interval:
        """Mean over seeds with its 95% interval by Student's t; seeds without the figure do not count."""
        values = np.array([row.figures.get(metric, np.nan) for row in self._of[setting]], dtype=np.float64)
        return interval(values[~np.isnan(values)])

    def front(self, method: str, quality: str, disparity: str) -> dict[int, Floats]:
        """For every seed a method's points over its weights, `(w, 2)`: quality and disparity, where it has both."""
        points: dict[int, list[tuple[float, float]]] = {}
        for setting in self.settings:
            for row in self._of[setting] if setting[0] == method else ():
                point = row.figures.get(quality, np.nan), row.figures.get(disparity, np.nan)
                if not np.isnan(point).any():
                    points.setdefault(row.seed, []).append(point)
        return {seed: np.array(each, dtype=np.float64) for seed, each in points.items()}

    @cached_property
    def _of(self) -> dict[Setting, list[Result]]:
        found: dict[Setting, list[Result]] = {}
        for row in self.rows:
            found.setdefault((row.method, row.weight), []).append(row)
        return found
