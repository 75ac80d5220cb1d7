"""Distributionally robust optimisation: the worst loss of any group that is large enough, without knowing groups."""

from __future__ import annotations

import math

import torch
from torch import Tensor

STEPS = 60  # halvings of the bracket: more than float64 resolves


def dro_loss(losses: Tensor, smallest: float = 0.2) -> Tensor:
    """Minimum over eta of C sqrt(mean relu(loss - eta)^2) + eta, C = sqrt(2 (1/smallest - 1)^2 + 1).

    The greatest mean loss over all reweightings within a chi-square ball, mean (w - 1)^2 <= C^2 - 1, which bounds the
    mean loss of every group that has a share of at least `smallest`. eta is found by bisection. By the envelope theorem
    the gradient is that of the weighted mean of the losses with the worst weights held fixed, and so is the value.

    Args:
        losses: `(n,)` mean loss of each user; at least one.
        smallest: Smallest share of the users that a group may have, in (0, 1]; 1 is the plain mean.

    Source: Hashimoto et al., Fairness Without Demographics in Repeated Loss Minimization, ICML 2018.
    """
    return (worst_weights(losses, smallest).to(losses.dtype) * losses).sum()


@torch.no_grad()
def worst_weights(losses: Tensor, smallest: float = 0.2) -> Tensor:
    """`(n,)` weights that sum to one and attain `dro_loss`, in float64: proportional to relu(loss - eta)."""
    if not 0 < smallest <= 1:
        raise ValueError(f"the smallest group has share {smallest}; it must lie in (0, 1]")
    values = losses.detach().to(torch.float64)
    excess = (values - _eta(values, math.sqrt(2 * (1 / smallest - 1) ** 2 + 1))).relu()
    if smallest == 1 or not excess.any():
        excess = torch.ones_like(values) if smallest == 1 else (values == values.max()).to(torch.float64)
    return excess / excess.sum()


def _eta(values: Tensor, constant: float) -> Tensor:
    """Where the slope 1 - C mean(relu) / sqrt(mean relu^2) of the convex dual crosses zero, or the maximum."""
    high = values.max()
    if constant == 1:
        return high
    # Where every loss is above eta, the slope is zero at mean - std / sqrt(C^2 - 1), and negative further down.
    low = torch.minimum(values.min(), values.mean() - values.std(unbiased=False) / math.sqrt(constant**2 - 1))
    for _ in range(STEPS):
        middle = (low + high) / 2
        excess = (values - middle).relu()
        rising = constant * excess.mean() < excess.square().mean().sqrt()
        low, high = torch.where(rising, low, middle), torch.where(rising, middle, high)
    return low
