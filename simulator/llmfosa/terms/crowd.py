"""I(S;A) from the labels of annotators who err: a classifier of s seen through one confusion matrix a persona."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

FLOOR = 1e-2  # no entry of an initial confusion matrix is smaller: a log of zero would never learn


class ConfusionLayer(nn.Module):
    """Confusion matrices F_i[a, k] = P(persona i says k | the value is a), learnable as softmax of logits by row.

    Args:
        personas: P, the number of annotators.
        values: A, the number of values of the attribute.
        init: `(P, A, A)` row-stochastic matrices to start from, such as those of Dawid and Skene, as an array or a
            tensor; entries below `FLOOR` are raised to it and the rows scaled to one again. None starts at `diagonal`.
        diagonal: P(k = a) of the matrices to start from where there are none; the rest is spread evenly. More than 1/A,
            which is what keeps the values of the classifier those of the labels.

    Source: Rodrigues and Pereira, Deep Learning from Crowds, AAAI 2018; Tanno et al., Learning From Noisy Labels by
    Regularized Estimation of Annotator Confusion, CVPR 2019.
    """

    def __init__(self, personas: int, values: int, init: Any = None, *, diagonal: float = 0.75) -> None:
        super().__init__()
        if init is None:
            others = (1 - diagonal) / max(values - 1, 1)
            init = torch.full((values, values), others).fill_diagonal_(diagonal).expand(personas, values, values)
        start = torch.as_tensor(init, dtype=torch.get_default_dtype())
        if start.shape != (personas, values, values):
            wanted = (personas, values, values)
            raise ValueError(f"initial confusion matrices have shape {tuple(start.shape)}; give them as {wanted}")
        self.logits = nn.Parameter(start.clamp_min(FLOOR).log())

    def log_matrices(self) -> Tensor:
        """`(P, A, A)` log F."""
        return self.logits.log_softmax(-1)

    def matrices(self) -> Tensor:
        """`(P, A, A)` F, whose rows sum to one."""
        return self.logits.softmax(-1)


def crowd_loss(logits: Tensor, log_confusion: Tensor, labels: Tensor) -> Tensor:
    """Mean negative log-likelihood of the labels: -1/sum(mask) sum_ui mask_ui log sum_a C(a|s_u) F_i[a, label_ui].

    Up to the constant H(A) a lower bound of I(S;A) with its sign turned (Barber and Agakov 2003). In log space
    throughout, so that a sure classifier and a zero in a matrix stay finite. Without any label the loss is 0.

    Args:
        logits: `(b, A)` of the classifier C.
        log_confusion: `(P, A, A)` log F.
        labels: `(b, P)` integer codes; -1 where a persona abstained.
    """
    seen = labels >= 0
    joint = logits.log_softmax(-1)[:, None] + _evidence(log_confusion, labels)
    return -torch.where(seen, joint.logsumexp(-1), 0).sum() / seen.sum().clamp_min(1)


def posterior(logits: Tensor, log_confusion: Tensor, labels: Tensor) -> Tensor:
    """`(b, A)` P(a | s_u, labels of u), with C(a|s) as the prior and independent errors given the value.

    Arguments as in `crowd_loss`; a user without labels keeps C(a|s).
    """
    evidence = torch.where((labels >= 0)[..., None], _evidence(log_confusion, labels), 0)
    return (logits.log_softmax(-1) + evidence.sum(1)).softmax(-1)


def trace_penalty(matrices: Tensor) -> Tensor:
    """Mean over personas of tr(F_i), of `(P, A, A)`; added to the loss with a positive weight.

    A small trace says that the annotators err as much as the data allow, and the classifier is the truth behind them.
    Only right while the matrices stay diagonally dominant.

    Source: Tanno et al., CVPR 2019, equation 6.
    """
    return matrices.diagonal(dim1=-2, dim2=-1).sum(-1).mean()


def logdet_penalty(matrices: Tensor, *, ridge: float = 1e-6) -> Tensor:
    """-log det(W'W + ridge I), W of `(P, A, A)` matrices stacked to (P A, A), columns by the true value.

    Small where the annotators together tell the values apart best; added to the loss with a positive weight.

    Source: Ibrahim, Nguyen and Fu, Deep Learning From Crowdsourced Labels, ICLR 2023 (GeoCrowdNet(W)).
    """
    return _negative_logdet(matrices.transpose(-1, -2).reshape(-1, matrices.shape[-1]), ridge)


def prediction_logdet_penalty(logits: Tensor, *, ridge: float = 1e-6) -> Tensor:
    """-log det(C'C / b + ridge I), C the `(b, A)` predicted probabilities of a batch.

    Small where the classifier's predictions spread over all values; added to the loss with a positive weight.

    Source: Ibrahim, Nguyen and Fu, ICLR 2023 (GeoCrowdNet(F)), scaled to be independent of the size of the batch.
    """
    return _negative_logdet(logits.softmax(-1) / len(logits) ** 0.5, ridge)


def _evidence(log_confusion: Tensor, labels: Tensor) -> Tensor:
    """`(b, P, A)` log F_i[:, label_ui]; that of value 0 where there is no label."""
    personas, values, _ = log_confusion.shape
    # One table row a (persona, label): an embedding's gradient adds up far faster than that of advanced indexing.
    table = log_confusion.transpose(1, 2).reshape(personas * values, values)
    first = torch.arange(personas, device=labels.device) * values
    return functional.embedding(labels.clamp_min(0) + first, table)


def _negative_logdet(stacked: Tensor, ridge: float) -> Tensor:
    identity = torch.eye(stacked.shape[-1], dtype=stacked.dtype, device=stacked.device)
    return -torch.linalg.slogdet(stacked.T @ stacked + ridge * identity).logabsdet
