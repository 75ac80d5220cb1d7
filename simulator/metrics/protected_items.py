"""Do items that are to be protected get their share of the delivered slates? The fairness agents of SCRUF-D.

`protected` `(..., T, k)` tells for each of T slates, place by place from the top, whether the item is protected. All
give 1 on an empty history and are capped at 1: more than the target is not fairer.

Source: R. Burke, N. Mattei et al., the SCRUF-D architecture of dynamic fairness-aware recommendation (that-recsys-lab).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.metrics.parameters import Count, GroupColumn, Positive
from simulator.metrics.relevance import reciprocal_rank
from simulator.profile import Bools, Floats


def protected_share(protected: ArrayLike, target: float) -> Floats:
    """min(1, share of protected items among the delivered / target), `(...)`."""
    slates = np.asarray(protected, dtype=np.bool_)
    return _capped(slates.mean(axis=(-2, -1)) / target) if slates.shape[-2] else np.ones(slates.shape[:-2])


def protected_rank(protected: ArrayLike, target: float) -> Floats:
    """min(1, mean over slates of 1 / place of the first protected item / target), `(...)`; 0 in a slate without one."""
    slates = np.asarray(protected, dtype=np.bool_)
    return _capped(reciprocal_rank(slates).mean(axis=-1) / target) if slates.shape[-2] else np.ones(slates.shape[:-2])


def protected_exposure(protected: ArrayLike, target: float) -> Floats:
    """min(1, mean exposure of a delivered protected item / that of another one / target), `(...)`.

    Exposure is 1 / log2(1 + place). 0 if no protected item was delivered, 1 if no other one was.
    """
    slates = np.asarray(protected, dtype=np.bool_)
    if not slates.shape[-2]:
        return np.ones(slates.shape[:-2])
    discount = 1 / np.log2(np.arange(2, slates.shape[-1] + 2))
    shown, others = slates.sum(axis=(-2, -1)), (~slates).sum(axis=(-2, -1))
    own = (slates * discount).sum(axis=(-2, -1)) / np.maximum(shown, 1)
    other = (~slates * discount).sum(axis=(-2, -1)) / np.maximum(others, 1)
    return np.where(others == 0, 1.0, _capped(own / np.where(others == 0, 1.0, other) / target))


def _capped(values: Floats) -> Floats:
    return np.minimum(values, 1.0)


def _window(view: Evaluation, by: str, group: str, window: int) -> Bools:
    found = view.items.groups(by)
    if group not in found.names or not view.history.slates:
        return np.zeros((0, len(view.slate)), dtype=np.bool_)
    slates = np.stack(view.history.slates[-window:])
    return np.asarray(found.catalogue[slates] == found.names.index(group))


@metric("protected_share", scope="group", horizon="cumulative")
def round_protected_share(
    view: Evaluation, *, by: GroupColumn, group: str = "", target: Positive = 0.2, window: Count = 10
) -> float:
    """Share of the group's items in the last `window` slates over its `target`, at most 1."""
    return float(protected_share(_window(view, by, group, window), target))


@metric("protected_rank", scope="group", horizon="cumulative")
def round_protected_rank(
    view: Evaluation, *, by: GroupColumn, group: str = "", target: Positive = 0.5, window: Count = 10
) -> float:
    """Mean reciprocal place of the group's first item in the last `window` slates over its `target`, at most 1."""
    return float(protected_rank(_window(view, by, group, window), target))


@metric("protected_exposure", scope="group", horizon="cumulative")
def round_protected_exposure(
    view: Evaluation, *, by: GroupColumn, group: str = "", target: Positive = 1.0, window: Count = 10
) -> float:
    """Mean exposure of the group's delivered items over that of the others in the last `window` slates, at most 1."""
    return float(protected_exposure(_window(view, by, group, window), target))
