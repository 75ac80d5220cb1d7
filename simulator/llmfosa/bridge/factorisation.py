"""A plain recommender in NumPy, for worlds without a trained one."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.profile import Floats
from simulator.seeds import generator

Matrix = Any  # scipy.sparse.csr_array, which has no types


def factorise(
    train: Matrix, *, factors: int = 8, weight: float = 10.0, l2: float = 5.0, sweeps: int = 10, seed: int = 0
) -> tuple[Floats, Floats]:
    """Embeddings of users `(n, factors)` and items `(m, factors)` by alternating least squares on implicit feedback.

    Minimises sum_uv c_uv (x_uv - p_u . q_v)^2 + l2 (sum |p_u|^2 + sum |q_v|^2) with x = 1 and c = 1 + weight where
    there is an interaction, else x = 0 and c = 1. Dense, so for thousands of users and items at most.

    Args:
        train: `(n, m)` CSR matrix; whatever is stored counts as an interaction.
        factors: how many.
        weight: how much more an interaction counts than none.
        l2: of the embeddings.
        sweeps: how often users and items are solved for in turn.
        seed: of the start.

    Source: Y. Hu, Y. Koren and C. Volinsky, Collaborative filtering for implicit feedback datasets, ICDM 2008.
    """
    seen = np.asarray((train > 0).todense(), dtype=np.float64)
    rng = generator(seed, "llmfosa", "bridge", "factorise")
    users = np.zeros((seen.shape[0], factors))
    items = rng.standard_normal((seen.shape[1], factors)) / np.sqrt(factors)
    for _ in range(sweeps):
        users = _solved(seen, items, weight, l2)
        items = _solved(seen.T, users, weight, l2)
    return users, items


def _solved(seen: Floats, other: Floats, weight: float, l2: float) -> Floats:
    """The best rows `(n, d)` for the other ones `(m, d)`: (Q'Q + weight Q'XuQ + l2 I)^-1 (1 + weight) Q'xu, each u."""
    outer = (other[:, :, None] * other[:, None, :]).reshape(len(other), -1)
    width = other.shape[1]
    gram = other.T @ other + l2 * np.eye(width)
    left = gram + weight * (seen @ outer).reshape(-1, width, width)
    return np.asarray(np.linalg.solve(left, ((1 + weight) * seen @ other)[..., None])[..., 0])
