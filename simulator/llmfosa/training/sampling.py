"""Triplets of a user, an item that it chose and one that it did not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor


class Triplets:
    """Draws every interaction of the training part once an epoch, each with an item not among the user's.

    Args:
        train: `(n, m)` CSR matrix with sorted indices.
        generator: On the CPU; all draws come from it.
        device: Where the batches are put.
    """

    def __init__(self, train: Any, generator: torch.Generator, device: torch.device) -> None:
        self.users = torch.as_tensor(np.repeat(np.arange(train.shape[0]), np.diff(train.indptr)), dtype=torch.int64)
        self.items = torch.as_tensor(train.indices, dtype=torch.int64)
        self.n_items = int(train.shape[1])
        self.keys = self.users * self.n_items + self.items  # sorted, as the indices are
        full = torch.as_tensor(np.diff(train.indptr) >= self.n_items)
        if bool(full.any()):  # a user who chose everything has no other item; nothing to learn from it
            kept = ~full[self.users]
            self.users, self.items = self.users[kept], self.items[kept]
        self.generator = generator
        self.device = device

    def epoch(self, batch: int) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        """Batches of users, chosen items and other items, in a new order."""
        order = torch.randperm(len(self.users), generator=self.generator)
        users, items = self.users[order], self.items[order]
        others = torch.randint(self.n_items, (len(users),), generator=self.generator)
        wrong = self._chosen(users, others).nonzero().squeeze(-1)
        while len(wrong):
            others[wrong] = torch.randint(self.n_items, (len(wrong),), generator=self.generator)
            wrong = wrong[self._chosen(users[wrong], others[wrong])]
        for start in range(0, len(users), batch):
            part = slice(start, start + batch)
            yield users[part].to(self.device), items[part].to(self.device), others[part].to(self.device)

    def _chosen(self, users: Tensor, items: Tensor) -> Tensor:
        keys = users * self.n_items + items
        places = torch.searchsorted(self.keys, keys).clamp_max(len(self.keys) - 1)
        return self.keys[places] == keys
