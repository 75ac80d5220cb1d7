"""The sensitive encoder and the classifier on it."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class SensitiveEncoder(nn.Module):
    """s_u = MLP_s(x_u), and the logits W s_u + b of C(a|s_u).

    Args:
        dim: Width of x.
        values: A, the number of values of the attribute.
        width: Width of s; small, so that s has no room for taste.
        hidden: Width of the hidden layer.
        dropout: Share of hidden units dropped in training.
    """

    def __init__(self, dim: int, values: int, width: int = 16, hidden: int = 64, dropout: float = 0.2) -> None:
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Dropout(dropout), nn.Linear(hidden, width))
        self.classifier = nn.Linear(width, values)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """`(b, width)` s and `(b, A)` logits of `(b, dim)` x."""
        s: Tensor = self.encoder(x)
        logits: Tensor = self.classifier(s)
        return s, logits


@torch.no_grad()
def encode(network: SensitiveEncoder, x: Tensor) -> tuple[Tensor, Tensor]:
    """S and C(a|s) of all users at once, without dropout."""
    was = network.training
    network.eval()
    s, logits = network(x)
    network.train(was)
    return s, logits.softmax(-1)
