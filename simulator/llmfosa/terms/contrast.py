"""I(S;E): what the sensitive representation shares with the rationales, by contrast within a batch."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional


def contrast(scores: Tensor) -> Tensor:
    """-1/b sum_u log [exp(scores_uu) / sum_u' exp(scores_uu')], of `(b, b)` scores whose diagonal are the pairs.

    log b minus it is a lower bound of the mutual information, tight only where that is well below log b.

    Source: van den Oord et al., Representation Learning with Contrastive Predictive Coding, 2018; Poole et al., On
    Variational Bounds of Mutual Information, ICML 2019.
    """
    if not len(scores):
        return scores.sum()
    return functional.cross_entropy(scores, torch.arange(len(scores), device=scores.device))


def info_nce(a: Tensor, b: Tensor, temperature: float = 0.2) -> Tensor:
    """Contrast of cos(a_u, b_u') / temperature; row u of `(n, d)` a and of `(n, d)` b are a pair."""
    return contrast((functional.normalize(a, dim=-1) / temperature) @ functional.normalize(b, dim=-1).T)


class Rationale(nn.Module):
    """L_fine: InfoNCE of g(s_u) and h(e_u), two linear projections to one space.

    Args:
        s_dim: Width of the sensitive representation.
        e_dim: Width of the rationales' embeddings.
        dim: Width of the common space.
        temperature: tau.
    """

    def __init__(self, s_dim: int, e_dim: int, dim: int = 32, temperature: float = 0.2) -> None:
        super().__init__()
        self.g = nn.Linear(s_dim, dim)
        self.h = nn.Linear(e_dim, dim)
        self.temperature = temperature

    def forward(self, s: Tensor, e: Tensor) -> Tensor:
        """The loss of `(b, s_dim)` and `(b, e_dim)`; users without a rationale (a zero row of e) are left out.

        The rationales are data: no gradient goes to e.
        """
        told = e.detach().any(-1)
        return info_nce(self.g(s[told]), self.h(e.detach()[told]), self.temperature)


def rationale_loss(s: Tensor, e: Tensor, projections: Rationale) -> Tensor:
    """L_fine of a batch; see `Rationale.forward`."""
    loss: Tensor = projections(s, e)
    return loss


def information_bound(loss: Tensor, batch: int) -> Tensor:
    """The lower bound of mutual information in nats that a contrast over `batch` pairs says: log batch - loss."""
    return torch.log(torch.tensor(batch, dtype=loss.dtype, device=loss.device)) - loss
