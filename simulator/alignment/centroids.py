"""Rank-order-centroid weights: the weights that an order of importance stands for."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def rank_order_centroids(n: int) -> NDArray[np.float64]:
    """The centroid of all weight vectors w_1 >= ... >= w_n >= 0 that sum to 1.

        w_r = 1/n sum_{k=r}^{n} 1/k

    Source: Barron & Barrett (1996), Decision quality using ranked attribute weights, Management Science 42(11).

    Returns:
        Shape `(n,)`, most important first; empty for n = 0.

    Raises:
        ValueError: n is negative.
    """
    if n < 0:
        raise ValueError(f"the number of attributes must not be negative, got {n}")
    return np.cumsum(1.0 / np.arange(n, 0, -1))[::-1] / max(n, 1)


def centroid_weights(scores: Sequence[float]) -> NDArray[np.float64]:
    """The rank-order-centroid weight of every attribute by its importance score, higher is more important.

    Tied attributes share the mean of the centroids they span, which is the centroid of the weak order.

    Returns:
        Shape `(n,)` in the order of `scores`; sums to 1.

    Raises:
        ValueError: A score is not finite.
    """
    values = np.asarray(scores, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError(f"importance scores must be finite, got {list(scores)}")
    ordered, inverse, counts = np.unique(-values, return_inverse=True, return_counts=True)
    if not ordered.size:
        return np.zeros(0)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    shares: NDArray[np.float64] = np.add.reduceat(rank_order_centroids(values.size), starts) / counts
    return shares[inverse]
