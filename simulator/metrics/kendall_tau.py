"""Kendall's tau-b: how far two orders of the same items agree."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.profile import Floats

_BLOCK = 2_000_000


def tau_b(x: ArrayLike, y: ArrayLike) -> Floats:
    """Kendall's tau-b over the last axis: (C - D) / sqrt((pairs not tied in x) (pairs not tied in y)).

    C and D count the pairs of items that x and y order alike and oppositely. 1 = the same order, -1 = the reverse; nan
    where x or y ties all items. Shapes: `(..., m)` each, broadcast against each other, to `(...)`. Time and memory grow
    with m^2; pairs are taken in blocks, so memory stays bounded.

    Source: M. G. Kendall, The treatment of ties in ranking problems, 1945.
    """
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    m = first.shape[-1]
    shape = np.broadcast_shapes(first.shape, second.shape)[:-1]
    agreement, untied_first, untied_second = np.zeros(shape), np.zeros(first.shape[:-1]), np.zeros(second.shape[:-1])
    for rows in pair_blocks(shape, m):
        signs_first, signs_second = pair_signs(first, rows), pair_signs(second, rows)
        agreement += pair_dot(signs_first, signs_second)
        untied_first += pair_dot(signs_first, signs_first)
        untied_second += pair_dot(signs_second, signs_second)
    untied = untied_first * untied_second
    return np.asarray(np.where(untied > 0, agreement / np.sqrt(np.where(untied > 0, untied, 1.0)), np.nan))


def pair_blocks(shape: tuple[int, ...], m: int) -> Iterator[slice]:
    """Rows of the m x m pairs in pieces that keep memory bounded with batch axes `shape`."""
    block = max(1, _BLOCK // max(1, math.prod(shape) * m))
    return (slice(start, start + block) for start in range(0, m, block))


def pair_signs(values: Floats, rows: slice) -> Floats:
    """Sign of the difference of every pair of an item of `rows` and an item, `(..., rows x m)`."""
    return np.sign(values[..., rows, None] - values[..., None, :]).reshape(*values.shape[:-1], -1)


def pair_dot(x: Floats, y: Floats) -> Floats:
    """Sum of products over the last axis, broadcast."""
    return np.asarray((x[..., None, :] @ y[..., :, None])[..., 0, 0])


@metric("kendall_tau", scope="stakeholder", standard=True)
def kendall_tau(view: Evaluation) -> Floats:
    """Kendall's tau-b between the stakeholder's last proposal and the collective ranking, ties kept on both sides.

    nan for a stakeholder that abstains, and for all when every item is tied.
    """
    return tau_b(view.ranks, view.tiers)
