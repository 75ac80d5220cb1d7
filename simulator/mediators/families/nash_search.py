"""Slates of great Nash welfare, by greedy choice and single swaps, for a batch of profiles at once."""

from __future__ import annotations

import numpy as np

from simulator.mediators.base import BLOCK
from simulator.outcome import TOLERANCE
from simulator.profile import Bools, Floats, Ints

RANGE = 600.0  # exp(600) and exp(-600) are still ordinary numbers


def nash_keys(totals: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Per column of `totals` `(..., n, c)`: the weight of ballots with more than 0, and sum of weight x log over them.

    The first key decides before the second one (the convention for zeros of maximum Nash welfare).
    """
    n, columns = totals.shape[-2:]
    if not totals.size:
        return np.zeros((*totals.shape[:-2], columns)), np.zeros((*totals.shape[:-2], columns))
    low, high = float(totals.min()), float(totals.max())
    row = weights[..., None, :]
    if low > 0:
        served = np.broadcast_to(weights.sum(axis=-1)[..., None], (*totals.shape[:-2], columns))
        first = weights[..., :1]
        if n * max(abs(np.log(low)), abs(np.log(high))) < RANGE and (weights == first).all():
            return served, first * np.log(np.multiply.reduce(totals, axis=-2))
        return served, (row @ np.log(totals))[..., 0, :]
    positive = totals > 0
    logs = np.log(np.where(positive, totals, 1.0))
    return (row @ positive.astype(np.float64))[..., 0, :], (row @ logs)[..., 0, :]


def search(values: Floats, weights: Floats, k: int) -> tuple[Ints, Bools]:
    """Add the item that helps most until k are chosen, then swap one item for another while a swap helps.

    What is found is a local optimum: no slate that differs in a single item is better. Ties go to the first item in
    item order.

    Args:
        values: `(b, n, m)` utilities of b profiles.
        weights: `(b, n)`.
        k: 1..m-1.

    Returns:
        The slates `(b, k)`, sorted, and whether some slate with one other item is as good `(b,)`.
    """
    n, m = values.shape[-2:]
    slates = np.empty((len(values), k), dtype=np.int64)
    tied = np.empty(len(values), dtype=np.bool_)
    block = max(1, BLOCK // (max(n, 1) * k * (m - k)))
    for start in range(0, len(values), block):
        at = slice(start, start + block)
        slates[at] = _greedy(values[at], weights[at], k)
        tied[at] = _swap(values[at], weights[at], slates[at])
    return slates, tied


def _best(served: Floats, logs: Floats, slack: Floats) -> Bools:
    """The columns `(b, c)` that no other one beats."""
    most = served >= served.max(axis=-1, keepdims=True) - slack
    logs = np.where(most, logs, -np.inf)
    return np.asarray(logs >= logs.max(axis=-1, keepdims=True) - slack)


def _greedy(values: Floats, weights: Floats, k: int) -> Ints:
    slack = TOLERANCE * weights.sum(axis=-1, keepdims=True)
    rows = np.arange(len(values))
    chosen = np.zeros((len(values), values.shape[-1]), dtype=np.bool_)
    totals = np.zeros((*values.shape[:-1], 1))
    for _ in range(k):
        served, logs = nash_keys(totals + values, weights)
        item = _best(np.where(chosen, -np.inf, served), logs, slack).argmax(axis=-1)
        chosen[rows, item] = True
        totals = totals + values[rows, :, item][..., None]
    return np.nonzero(chosen)[1].reshape(len(values), k)


def _swap(values: Floats, weights: Floats, slates: Ints) -> Bools:
    """Improve the slates `(b, k)` in place; whether a slate with one other item is as good."""
    k, m = slates.shape[1], values.shape[-1]
    others = 1.0 - np.eye(k)
    tied = np.zeros(len(slates), dtype=np.bool_)
    going = np.arange(len(slates))
    while len(going):
        rows = np.arange(len(going))
        utilities, heavy, slate = values[going], weights[going], slates[going]
        slack = TOLERANCE * heavy.sum(axis=-1, keepdims=True)
        outside = np.ones((len(going), m), dtype=np.bool_)
        outside[rows[:, None], slate] = False
        rest = np.nonzero(outside)[1].reshape(len(going), m - k)
        inside = np.take_along_axis(utilities, slate[:, None], axis=-1)
        # Sums without an item, not differences, in which a small utility beside a large one would be lost.
        totals = (inside @ others)[..., None] + np.take_along_axis(utilities, rest[:, None], axis=-1)[:, :, None]
        now = inside.sum(axis=-1, keepdims=True)
        totals = np.concatenate([now, totals.reshape(*now.shape[:-1], k * (m - k))], axis=-1)
        best = _best(*nash_keys(totals, heavy), slack)
        done = best[:, 0]
        tied[going[done]] = best[done, 1:].any(axis=1)
        swap = best.argmax(axis=1) - 1
        out, new = np.divmod(np.maximum(swap, 0), m - k)
        slate[rows, out] = rest[rows, new]
        slates[going[~done]] = np.sort(slate[~done], axis=1)
        going = going[~done]
    return tied
