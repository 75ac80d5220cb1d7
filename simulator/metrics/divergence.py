"""How far apart several distributions are."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.profile import Floats

LARGEST_OF_TWO = float(np.sqrt(np.log(2)))


def jensen_shannon_distance(distributions: ArrayLike) -> Floats:
    """sqrt(H(mean of p_g) - mean of H(p_g)) in nats over G distributions `(..., G, K)`, each with the weight 1 / G.

    0 = all alike; for two of them it is SciPy's `jensenshannon`, at most sqrt(ln 2) = 0.833; in general at most
    sqrt(ln G). nan where one of them is not known. Source: J. Lin, Divergence measures based on the Shannon entropy,
    IEEE Transactions on Information Theory 37, 1991.
    """
    given = np.asarray(distributions, dtype=np.float64)
    divergence = _entropy(given.mean(axis=-2)) - _entropy(given).mean(axis=-1)
    return np.asarray(np.sqrt(np.maximum(divergence, 0.0)))


def _entropy(p: Floats) -> Floats:
    return np.asarray(-(p * np.log(np.where(p > 0, p, 1.0))).sum(axis=-1))
