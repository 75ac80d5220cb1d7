"""Borda's points item against item, so that they can be added up over any set of items that are left."""

from __future__ import annotations

import numpy as np

from simulator.mediators.families.pairwise import duels
from simulator.profile import Floats, Profile


def points_against(profile: Profile) -> Floats:
    """P(a, b) = weight of the ballots that rank a above b + half the weight of those that tie them; `(..., m, m)`.

    Borda's score of a among a set of items is the sum of P(a, b) over the other items b of the set: positions are
    counted among these alone, and tied items share the average of the positions that they span.

    Args:
        profile: its abstentions must weigh nothing, or every pair gets half of their weight.
    """
    if not profile.weights.size:
        return np.zeros((*profile.ranks.shape[:-2], profile.m, profile.m))
    found = duels(profile)
    above = found.support.astype(np.float64)
    weight = np.asarray(found.weight)[..., None, None]
    points = (weight + above - np.swapaxes(above, -1, -2)) / 2
    points[..., np.arange(profile.m), np.arange(profile.m)] = 0.0
    return np.asarray(points)
