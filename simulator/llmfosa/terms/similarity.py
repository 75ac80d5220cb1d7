"""L_sim: personas that are alike should err alike."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional

DIGITS = 6  # cosines that agree to so many are a tie


def nearest(embeddings: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """Each persona's K nearest others by cosine of their descriptions' embeddings, and those cosines as weights.

    Ties go to the lower index. K is at most P - 1; one persona alone has no neighbour. Negative cosines weigh 0: the
    term never pushes personas apart.

    Args:
        embeddings: `(P, e)`; a zero row has cosine 0 with all.
        k: Neighbours wanted.

    Returns:
        `(P, K)` int64 indices, nearest first, and their `(P, K)` weights in [0, 1].
    """
    unit = functional.normalize(embeddings.detach().to(torch.float64), dim=-1)
    cosines = (unit @ unit.T).round(decimals=DIGITS).fill_diagonal_(-torch.inf)
    ordered, order = cosines.sort(dim=-1, descending=True, stable=True)
    k = max(0, min(k, len(embeddings) - 1))
    return order[:, :k], ordered[:, :k].clamp(0, 1).to(embeddings.dtype)


def similarity_loss(
    matrices: Tensor, neighbours: Tensor, weights: Tensor, distance: Literal["frobenius", "kl"] = "frobenius"
) -> Tensor:
    """L_sim = 1/P sum_i 1/K sum_{j near i} w_ij d(F_i, F_j); 0 without neighbours.

    d is the squared Frobenius norm of F_i - F_j, or "kl": the symmetric Kullback-Leibler divergence of the rows
    (KL(p||q) + KL(q||p) in nats), summed over the true values. A strong weight over unlike personas hurts F.

    Args:
        matrices: `(P, A, A)` row-stochastic confusion matrices.
        neighbours: `(P, K)` indices, as of `nearest`.
        weights: `(P, K)`, as of `nearest`; or ones.
        distance: d.
    """
    if not neighbours.numel():
        return matrices.sum() * 0  # keeps the graph, so that the loss can be differentiated all the same
    own, other = matrices[:, None], matrices[neighbours]
    if distance == "frobenius":
        apart = (own - other).square()
    elif distance == "kl":
        tiny = torch.finfo(matrices.dtype).tiny
        apart = (own - other) * (own.clamp_min(tiny).log() - other.clamp_min(tiny).log())
    else:
        raise ValueError(f'no distance {distance!r} of confusion matrices; choose "frobenius" or "kl"')
    return (weights * apart.sum((-1, -2))).mean()
