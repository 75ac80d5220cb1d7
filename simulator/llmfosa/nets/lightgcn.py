"""LightGCN: embeddings smoothed over the graph of users and items."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn


class LightGCN(nn.Module):
    """x and y are the mean over layers 0..L of A^l (users; items), A = D^-1/2 R D^-1/2 of the bipartite graph.

    Args:
        users: `(n, d)` start of the users' own embeddings.
        items: `(m, d)` start of the items' own embeddings.
        train: `(n, m)` CSR matrix of interactions; its strengths count as 1.
        layers: L.

    Source: He et al., LightGCN: Simplifying and Powering Graph Convolution Network for Recommendation, SIGIR 2020.
    """

    def __init__(self, users: Tensor, items: Tensor, train: Any, layers: int = 3) -> None:
        super().__init__()
        self.users = nn.Parameter(users.clone())
        self.items = nn.Parameter(items.clone())
        self.layers = layers
        weights, back = _normalised(train)
        self.register_buffer("weights", weights, persistent=False)
        self.register_buffer("back", back, persistent=False)

    def forward(self) -> tuple[Tensor, Tensor]:
        """`(n, d)` x and `(m, d)` y."""
        users, items = self.users, self.items
        sum_users, sum_items = users, items
        for _ in range(self.layers):
            users, items = self._spread(users, items)
            sum_users, sum_items = sum_users + users, sum_items + items
        return sum_users / (self.layers + 1), sum_items / (self.layers + 1)

    def _spread(self, users: Tensor, items: Tensor) -> tuple[Tensor, Tensor]:
        return (
            _Product.apply(self.weights, self.back, items),
            _Product.apply(self.back, self.weights, users),
        )


class _Product(torch.autograd.Function):
    """A constant sparse matrix times embeddings; the gradient uses the transpose that is stored anyway."""

    @staticmethod
    def forward(context: Any, matrix: Tensor, transposed: Tensor, dense: Tensor) -> Tensor:
        context.transposed = transposed
        return matrix @ dense

    @staticmethod
    def backward(context: Any, gradient: Tensor) -> tuple[None, None, Tensor]:
        return None, None, context.transposed @ gradient


def _normalised(train: Any) -> tuple[Tensor, Tensor]:
    """R_uv / sqrt(degree of u times degree of v) and its transpose, as sparse CSR tensors."""
    csr = train.tocsr()
    ones = csr.copy()
    ones.data = np.ones_like(csr.data, dtype=np.float32)
    by_user, by_item = np.diff(csr.indptr), np.bincount(csr.indices, minlength=csr.shape[1])
    rows = np.repeat(np.arange(csr.shape[0]), by_user)
    ones.data /= np.sqrt(by_user[rows] * by_item[csr.indices]).astype(np.float32)
    return _tensor(ones), _tensor(ones.T.tocsr())


def _tensor(csr: Any) -> Tensor:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse", category=UserWarning)  # in beta; unchecked: SciPy has
        return torch.sparse_csr_tensor(
            torch.as_tensor(csr.indptr, dtype=torch.int64),
            torch.as_tensor(csr.indices, dtype=torch.int64),
            torch.as_tensor(csr.data, dtype=torch.float32),
            size=csr.shape,
        )
