"""Directions of the rationales that tell the attribute: what is left of a text when taste is taken out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def predictive_components(
    embeddings: NDArray[np.floating], posterior: NDArray[np.floating], keep: int
) -> NDArray[np.float32]:
    """`(n, keep)` the components that correlate best with the posterior, best first; ties to the lower index.

    A component's score is its largest squared correlation with the probability of any value. Rationales laden with
    taste make s swallow preference, and removing it destroys accuracy; the components that say nothing of the attribute
    are not needed.

    Args:
        embeddings: `(n, dim)`, as of `rationale_embeddings`; zero rows (no text) are left out of the correlations.
        posterior: `(n, A)` probabilities of the attribute's values.
        keep: Components wanted, at most dim.
    """
    told = np.any(embeddings, axis=1)
    columns, targets = _standard(embeddings[told]), _standard(posterior[told])
    score = ((columns.T @ targets / max(told.sum(), 1)) ** 2).max(1).round(12)
    return np.asarray(embeddings[:, np.argsort(-score, kind="stable")[:keep]], dtype=np.float32)


def predictive_projection(
    embeddings: NDArray[np.floating], posterior: NDArray[np.floating], ridge: float = 1e-3
) -> NDArray[np.float32]:
    """`(n, A)` ridge regression of the posterior on the embeddings, centred: the texts' own say on each value.

    Args:
        embeddings: `(n, dim)`; zero rows (no text) are left out of the fit and stay zero.
        posterior: `(n, A)` probabilities of the attribute's values.
        ridge: Weight of the squared coefficients, beside the mean squared error.
    """
    told = np.any(embeddings, axis=1)
    columns, targets = _centred(embeddings[told]), _centred(posterior[told])
    count = max(len(columns), 1)
    normal = columns.T @ columns / count + ridge * np.eye(columns.shape[1])
    projected = np.zeros((len(embeddings), posterior.shape[1]), dtype=np.float32)
    projected[told] = columns @ np.linalg.solve(normal, columns.T @ targets / count)
    return projected


def _centred(columns: NDArray[np.floating]) -> NDArray[np.float64]:
    wide: NDArray[np.float64] = np.asarray(columns, dtype=np.float64)
    return wide - wide.mean(0) if len(wide) else wide


def _standard(columns: NDArray[np.floating]) -> NDArray[np.float64]:
    """Columns with mean 0 and variance 1; constant ones are 0."""
    centred = _centred(columns)
    scale = np.sqrt(np.square(centred).sum(0) / max(len(centred), 1))
    standard: NDArray[np.float64] = np.divide(centred, scale, out=np.zeros_like(centred), where=scale > 1e-12)
    return standard
