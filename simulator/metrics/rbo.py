"""Rank-biased overlap: how far two rankings share their top, whatever their length."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.metrics.parameters import OpenShare
from simulator.profile import Floats


def rbo_of_lists(first: Sequence[Hashable], second: Sequence[Hashable], p: float = 0.9) -> float:
    """RBO_ext of two lists without ties, best first, of any lengths and with any items; in 0..1.

    X_d = overlap of the two prefixes of length d, s <= l the lengths:
    RBO_ext = (1-p)/p (sum_{d<=l} X_d/d p^d + sum_{s<d<=l} X_s (d-s)/(s d) p^d) + ((X_l-X_s)/l + X_s/s) p^l.
    p = 1 gives its limit for lists of one length, the average overlap. nan if one of the lists is empty.

    Source: W. Webber, A. Moffat and J. Zobel, A similarity measure for indefinite rankings, 2010, equation 32.
    """
    short, long = sorted((list(first), list(second)), key=len)
    s, length = len(short), len(long)
    if not s:
        return float("nan")
    place = {item: at for at, item in enumerate(short)}
    deeper = [max(place[item], at) for at, item in enumerate(long) if item in place]
    overlap = np.cumsum(np.bincount(deeper, minlength=length)).astype(np.float64)
    depth = np.arange(1.0, length + 1)
    shared = overlap[s - 1]
    agreement = overlap / depth
    agreement[s:] += shared * (depth[s:] - s) / (s * depth[s:])
    if p == 1:
        return float(agreement.mean())
    tail = (overlap[-1] - shared) / length + shared / s
    return float((1 - p) / p * (agreement @ p**depth) + tail * p**length)


def rbo(x: ArrayLike, y: ArrayLike, p: float = 0.9) -> Floats:
    """RBO_ext of two rankings of the same m items with ties, as tiers, smaller is better; in 0..1.

    Items that tie all stand where the first of them would; A_d = 2 |X_d and Y_d| / (|X_d| + |Y_d|) of the items that
    stand at d or above, RBO_ext = (1-p)/p sum_{d<=m} A_d p^d + A_m p^m. p = 1: mean of A_d. Unranked items are one tied
    tier at the bottom. Shapes: `(..., m)` each, broadcast against each other, to `(...)`; nan without items.

    Source: as for `rbo_of_lists`; ties as in its section on them.
    """
    first, second = np.broadcast_arrays(_first_places(x), _first_places(y))
    m = first.shape[-1]
    if not m:
        return np.full(first.shape[:-1], np.nan)
    depth = np.arange(1, m + 1)
    above = [_at_or_above(places, m) for places in (first, second, np.maximum(first, second))]
    agreement = 2 * above[2] / (above[0] + above[1])
    if p == 1:
        return np.asarray(agreement.mean(axis=-1))
    return np.asarray((1 - p) / p * (agreement @ p**depth) + agreement[..., -1] * p**m)


def _first_places(tiers: ArrayLike) -> Floats:
    """Place, from 1, of the first item of the item's tier."""
    values = np.asarray(tiers, dtype=np.float64)
    ordered = np.sort(values, axis=-1)
    flat = [np.searchsorted(row, own) for row, own in zip(_rows(ordered), _rows(values), strict=True)]
    return np.asarray(flat, dtype=np.float64).reshape(values.shape) + 1


def _rows(values: Floats) -> Floats:
    return values.reshape(-1, values.shape[-1]) if values.size else values.reshape(0, values.shape[-1])


def _at_or_above(places: Floats, m: int) -> Floats:
    """How many items stand at each depth 1..m or above it, `(..., m)`."""
    flat = _rows(places).astype(np.int64) - 1 + np.arange(places.size // m)[:, None] * m
    counts = np.bincount(flat.ravel(), minlength=places.size).reshape(places.shape)
    return np.cumsum(counts, axis=-1).astype(np.float64)


@metric("rbo", scope="stakeholder")
def round_rbo(view: Evaluation, *, p: OpenShare = 0.9) -> Floats:
    """Rank-biased overlap between the stakeholder's last ballot and the collective ranking; `p` is the persistence.

    With p = 0.9 the first ten places hold 86 percent of the weight. nan for a stakeholder that abstains.
    """
    return np.where(view.ranked, rbo(view.ranks, view.tiers, p), np.nan)
