"""An adversary that guesses the attribute from an embedding, which the embedding learns to defeat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.func import functional_call
from torch.nn import functional


class Reversal(torch.autograd.Function):
    """The identity, whose gradient is turned around and scaled."""

    @staticmethod
    def forward(context: Any, x: Tensor, scale: float) -> Tensor:
        """X itself."""
        context.scale = scale
        return x.view_as(x)

    @staticmethod
    def backward(context: Any, gradient: Tensor) -> tuple[Tensor, None]:
        """The gradient times -scale."""
        return -context.scale * gradient, None


def reverse(x: Tensor, scale: float = 1.0) -> Tensor:
    """X, with -scale times the gradient on the way back.

    Source: Ganin and Lempitsky, Unsupervised Domain Adaptation by Backpropagation, ICML 2015.
    """
    reversed_: Tensor = Reversal.apply(x, scale)
    return reversed_


class Adversary(nn.Module):
    """A perceptron that predicts A values of an attribute; LeakyReLU of slope 0.2 between the layers.

    Either alternate, `fitting_loss` for the adversary and `fooling_loss` for the embedding, or minimise `reversed_loss`
    for both at once.

    Args:
        dim: Width of the embedding.
        values: A.
        hidden: Widths of the hidden layers; (16, 8) in FairGo, wider and deeper in PFRec.
        dropout: Share of hidden units dropped in training.

    Source: Wu et al., Learning Fair Representations for Recommendation: A Graph-based Perspective (FairGo), WWW 2021;
    Wu et al., Selective Fairness in Recommendation via Prompts (PFRec), SIGIR 2022.
    """

    def __init__(self, dim: int, values: int, hidden: Sequence[int] = (16, 8), *, dropout: float = 0.0) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for width in hidden:
            layers += [nn.Linear(dim, width), nn.LeakyReLU(0.2), nn.Dropout(dropout)]
            dim = width
        self.layers = nn.Sequential(*layers, nn.Linear(dim, values))

    def forward(self, x: Tensor) -> Tensor:
        """`(b, A)` logits of `(b, dim)` embeddings."""
        logits: Tensor = self.layers(x)
        return logits

    def fitting_loss(self, x: Tensor, target: Tensor) -> Tensor:
        """Cross-entropy of the guesses; gradients go to the adversary only."""
        return attribute_loss(self(x.detach()), target)

    def fooling_loss(self, x: Tensor, target: Tensor) -> Tensor:
        """Minus the same; gradients go to the embedding only."""
        fixed = {name: parameter.detach() for name, parameter in self.named_parameters()}
        return -attribute_loss(functional_call(self, fixed, (x,)), target)

    def reversed_loss(self, x: Tensor, target: Tensor, scale: float = 1.0) -> Tensor:
        """Cross-entropy, whose gradient fits the adversary and, turned around and scaled, the embedding."""
        return attribute_loss(self(reverse(x, scale)), target)


def attribute_loss(logits: Tensor, target: Tensor) -> Tensor:
    """Mean cross-entropy with `(b,)` codes, -1 where unknown, or with `(b, A)` probabilities; 0 if none is known."""
    if target.is_floating_point():
        return functional.cross_entropy(logits, target.to(logits.dtype))
    total = functional.cross_entropy(logits, target, ignore_index=-1, reduction="sum")
    return total / (target >= 0).sum().clamp_min(1)
