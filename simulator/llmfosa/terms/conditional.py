"""I(P;R|S): what preferences know of the interactions beyond the sensitive representation, in two readings."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from simulator.llmfosa.terms.contrast import contrast
from simulator.llmfosa.terms.ranking import bpr_loss


def conditional_bpr(
    p: Tensor, s: Tensor, positive: Tensor, negative: Tensor, positive_s: Tensor, negative_s: Tensor
) -> Tensor:
    """Reading a: BPR on the score p.q + s.q', which sees both; a recommendation is by p.q alone.

    Up to H(R|S) a lower bound of I(P;R|S) with its sign turned: what s explains need not be learnt by p (Barber and
    Agakov 2003, with a ranking likelihood). No gradient goes to s.

    Args:
        p: `(b, d)` preferences of the users.
        s: `(b, e)` their sensitive representations.
        positive: `(b, d)` q of items that they chose.
        negative: `(b, d)` q of items that they did not choose.
        positive_s: `(b, e)` q' of the former.
        negative_s: `(b, e)` q' of the latter.
    """
    s = s.detach()
    return bpr_loss(
        (p * positive).sum(-1) + (s * positive_s).sum(-1), (p * negative).sum(-1) + (s * negative_s).sum(-1)
    )


def conditional_info_nce(
    x: Tensor, z: Tensor, s: Tensor, groups: Tensor, alpha: float = 0.1, temperature: float = 0.5
) -> Tensor:
    """Reading b: InfoNCE of x_u and z_u + alpha s_u with the users of the same group as negatives.

    -1/b sum_u log [exp(c_uu / tau) / sum_{u' in the group of u} exp(c_uu' / tau)], c_uu' = cos(x_u, z_u' + alpha s_u').
    No gradient goes to x and s. A user alone in a group adds 0.

    Args:
        x: `(b, d)` embeddings of the recommender before debiasing.
        z: `(b, d)` fair embeddings.
        s: `(b, d)` sensitive representations; of any width where alpha is 0.
        groups: `(b,)` integers, such as those of `groups_by_correlation` or `groups_by_posterior`.
        alpha: Share of s.
        temperature: tau.

    Source: Zhao et al., Fair Representation Learning for Recommendation: A Mutual Information Perspective (FairMI),
    AAAI 2023.
    """
    if alpha and s.shape != z.shape:
        shapes = f"{tuple(s.shape)} and {tuple(z.shape)}"
        raise ValueError(f"s and z have shapes {shapes}: project s to the width of z, or set alpha to 0")
    x = functional.normalize(x.detach(), dim=-1) / temperature
    both = functional.normalize(z + alpha * s.detach() if alpha else z, dim=-1)
    total = z.sum() * 0
    for group in groups.unique():  # blocks on the diagonal instead of one masked matrix of all pairs
        members = (groups == group).nonzero().squeeze(-1)
        total = total + contrast(x[members] @ both[members].T) * len(members)
    return total / max(len(x), 1)


def groups_by_correlation(s: Tensor) -> Tensor:
    """`(n,)` 1 where s_u correlates positively with s_0 (Pearson, over the dimensions), else 0; FairMI's groups.

    The first user decides what is positive. A constant row has no correlation and is in 0.
    """
    centred = s.detach() - s.detach().mean(-1, keepdim=True)
    return (centred @ centred[0] > 0).long()


def groups_by_posterior(posterior: Tensor) -> Tensor:
    """`(n,)` the likeliest value of the attribute by `(n, A)` posterior; ties to the lower code."""
    return torch.as_tensor(posterior).detach().argmax(-1)
