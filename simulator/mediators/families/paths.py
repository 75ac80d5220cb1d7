"""The strongest paths between items: a chain of majorities is as strong as its weakest link."""

from __future__ import annotations

import numpy as np

from simulator.mediators.families.pairwise import Matrix


def strongest_paths(strength: Matrix) -> Matrix:
    """p(a, b) = the largest over all paths from a to b of their smallest strength, `(..., m, m)`; 0 without a path.

    The algorithm of Floyd and Warshall, one item as a stop on the way after another, all pairs at once.

    Args:
        strength: `(..., m, m)`, at least 0, 0 = no link.
    """
    paths = strength.copy()
    through = np.empty_like(paths)
    for stop in range(paths.shape[-1]):
        np.minimum(paths[..., :, stop, None], paths[..., stop, None, :], out=through)
        np.maximum(paths, through, out=paths)
    return paths
