"""Matrix factorisation: one free embedding a user and an item."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Factors(nn.Module):
    """Scores by x_u . y_v.

    Args:
        users: `(n, d)` start of the users' embeddings.
        items: `(m, d)` start of the items' embeddings.
    """

    def __init__(self, users: Tensor, items: Tensor) -> None:
        super().__init__()
        self.users = nn.Parameter(users.clone())
        self.items = nn.Parameter(items.clone())

    def forward(self) -> tuple[Tensor, Tensor]:
        """`(n, d)` x and `(m, d)` y."""
        return self.users, self.items


def drawn(shape: tuple[int, int], generator: torch.Generator, scale: float = 0.1) -> Tensor:
    """Normal embeddings of standard deviation `scale`, drawn on the CPU, so that a seed means the same on a GPU."""
    return torch.randn(shape, generator=generator) * scale
