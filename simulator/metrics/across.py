"""One number for the stakeholders' figures: their mean, their worst, how far apart they are."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

import numpy as np
from annotated_types import Predicate

from simulator.metrics.base import Evaluation, Metric, metric
from simulator.metrics.gini import gini
from simulator.metrics.inequality import min_max_ratio
from simulator.registry import RegistryError, create


@lru_cache(maxsize=256)
def _found(spec: str) -> Metric:
    found = create("metric", spec)
    if not isinstance(found, Metric) or found.scope != "stakeholder":
        raise RegistryError(f"'{spec}' is no metric of the single stakeholders")
    return found


def _is_stakeholder_metric(spec: str) -> bool:
    return bool(_found(spec))


StakeholderMetric = Annotated[str, Predicate(_is_stakeholder_metric)]


@metric("across", scope="collective", better="neither")
def across(
    view: Evaluation, *, of: StakeholderMetric, how: Literal["mean", "min", "max", "std", "min_max", "gini"]
) -> float:
    """The stakeholders' values of the metric `of` taken together: mean, min, max, std, min_max or gini.

    `of` is a registered metric, such as ndcg or rbo(p=0.5). Only defined values count; nan without any. std is over n,
    not n - 1; min_max, the smallest over the largest, and gini are for metrics of at least 0.
    """
    found = _found(of)
    values = np.asarray(found.compute(view), dtype=np.float64)
    known = values[~np.isnan(values)]
    if not len(known):
        return float("nan")
    if how == "gini":
        return float(gini(known))
    return float(min_max_ratio(known) if how == "min_max" else getattr(known, how)())
