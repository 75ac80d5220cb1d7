"""Who is ranked above whom by how much weight: the matrix that Condorcet rules work on."""

from __future__ import annotations

import numpy as np

from simulator.outcome import TOLERANCE
from simulator.profile import Bools, Floats, Profile

_BLOCK = 4_000_000


def pairwise_support(profile: Profile) -> Floats:
    """N(a, b) = sum of the weights of the ballots that rank a strictly above b; `(..., m, m)`, rows are a.

    Exact for integer weights. Ballots are taken in blocks, so memory stays bounded however many there are.
    """
    ranks, weights = profile.ranks, profile.weights
    m = profile.m
    block = max(1, _BLOCK // max(1, ranks.size // max(1, profile.n) * m))
    support = np.zeros((*ranks.shape[:-2], m, m))
    for start in range(0, profile.n, block):
        part = ranks[..., start : start + block, :]
        above = (part[..., :, None] < part[..., None, :]).astype(np.float64)
        flat = weights[..., None, start : start + block] @ above.reshape(*above.shape[:-2], m * m)
        support += flat.reshape(support.shape)
    return support


def majority(support: Floats, weights: Floats) -> Bools:
    """Whether the row item beats the column item: N(a, b) > N(b, a), by more than rounding; `(..., m, m)`."""
    slack = TOLERANCE * weights.sum(axis=-1)[..., None, None]
    return np.asarray(support - np.swapaxes(support, -1, -2) > slack)
