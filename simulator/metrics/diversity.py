"""Diversity inside a slate: how unlike each other, and how far from each other, its items are."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.derivations.distance import EARTH_RADIUS_KM
from simulator.metrics.base import Evaluation, metric
from simulator.metrics.parameters import NumberColumn
from simulator.profile import Floats


def intra_list_distance(features: ArrayLike) -> Floats:
    """ILD: mean of 1 - cos(x_a, x_b) over the pairs of a slate's items; in 0..2, for features of at least 0 in 0..1.

    An item whose features are all 0 is unlike every other one (1). nan with less than two items.
    Shapes: `(..., k, J)` to `(...)`. Source: B. Smyth and P. McClave, Similarity vs. diversity, ICCBR 2001.
    """
    x = np.asarray(features, dtype=np.float64)
    size = np.linalg.norm(x, axis=-1, keepdims=True)
    unit = x / np.where(size > 0, size, 1.0)
    k = x.shape[-2]
    if k < 2:
        return np.full(x.shape[:-2], np.nan)
    own = (unit**2).sum(axis=(-2, -1))
    alike = ((unit.sum(axis=-2) ** 2).sum(axis=-1) - own) / (k * (k - 1))  # sum over pairs without the pairs
    return np.asarray(1 - alike)


def geographic_distance(latitude: ArrayLike, longitude: ArrayLike) -> Floats:
    """GeoILD: mean great-circle distance in km over the pairs of a slate's items; places in degrees.

    Items without a place (nan) are left out; nan with less than two others. Shapes: `(..., k)` each, to `(...)`. The
    haversine formula on a sphere of radius 6371.0088 km.
    """
    phi, lam = np.radians(np.asarray(latitude, dtype=np.float64)), np.radians(np.asarray(longitude, dtype=np.float64))
    across = np.sin((lam[..., :, None] - lam[..., None, :]) / 2) ** 2
    h = np.sin((phi[..., :, None] - phi[..., None, :]) / 2) ** 2
    h = h + np.cos(phi)[..., :, None] * np.cos(phi)[..., None, :] * across
    distance = 2 * EARTH_RADIUS_KM * np.arcsin(np.sqrt(np.minimum(h, 1.0)))
    known = ~np.isnan(phi + lam)
    count = known.sum(axis=-1)
    pairs = count * (count - 1)
    total = np.where(np.isnan(distance), 0.0, distance).sum(axis=(-2, -1))
    return np.where(pairs > 0, total / np.maximum(pairs, 1), np.nan)


@metric("intra_list_distance", scope="collective")
def round_intra_list_distance(view: Evaluation) -> float:
    """Mean cosine distance between the delivered items' attributes, each on [0, 1]; nan for a slate of one item."""
    return float(intra_list_distance(view.items.normalised[:, view.slate].T))


@metric("geographic_distance", scope="collective", better="neither")
def round_geographic_distance(
    view: Evaluation,
    *,
    latitude: NumberColumn,
    longitude: NumberColumn,
) -> float:
    """Mean distance in km between the delivered items; nan where less than two of them have a place."""
    places = (view.items.numbers(column)[view.slate] for column in (latitude, longitude))
    return float(geographic_distance(*places))
