"""Labels drawn from known confusion matrices."""

import numpy as np


def drawn(confusion: np.ndarray, truth: np.ndarray, seed: int, missing: float = 0.0) -> np.ndarray:
    """Labels `(n, P)`, independent given the truth; a share of them is missing."""
    draw = np.random.default_rng(seed)
    chances = confusion[:, truth].transpose(1, 0, 2).cumsum(axis=2)
    labels = (draw.random((*chances.shape[:2], 1)) > chances).sum(axis=2)
    return np.where(draw.random(labels.shape) < missing, -1, labels)
