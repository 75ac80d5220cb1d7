"""I(S;P): a contrastive log-ratio upper bound of what the preferences still know of the sensitive representation."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.func import functional_call


class Club(nn.Module):
    """q(s|p) = N(mu(p), diag exp(logvar(p))), two perceptrons with one hidden layer, and the bound that it gives.

    Fit q by `fitting_loss` with an optimiser of its own; `bound` then sends gradients to p (and s), none to q. The
    log-variance goes through tanh: give s on a scale of about one, standardised by dimension.

    Args:
        p_dim: Width of p.
        s_dim: Width of s.
        hidden: Width of the hidden layers.
        spread: The log-variance lies in (-spread, spread); 1 in the source.

    Source: Cheng et al., CLUB: A Contrastive Log-ratio Upper Bound of Mutual Information, ICML 2020.
    """

    def __init__(self, p_dim: int, s_dim: int, hidden: int = 128, *, spread: float = 1.0) -> None:
        super().__init__()
        self.mean = nn.Sequential(nn.Linear(p_dim, hidden), nn.ReLU(), nn.Linear(hidden, s_dim))
        self.logvar = nn.Sequential(nn.Linear(p_dim, hidden), nn.ReLU(), nn.Linear(hidden, s_dim), nn.Tanh())
        self.spread = spread

    def forward(self, p: Tensor) -> tuple[Tensor, Tensor]:
        """Mean and log-variance of s given `(b, p_dim)` p, both `(b, s_dim)`."""
        return self.mean(p), self.spread * self.logvar(p)

    def log_likelihood(self, p: Tensor, s: Tensor) -> Tensor:
        """`(b,)` log q(s_u|p_u)."""
        mean, logvar = self(p)
        return -0.5 * ((s - mean).square() * (-logvar).exp() + logvar + math.log(2 * math.pi)).sum(-1)

    def fitting_loss(self, p: Tensor, s: Tensor) -> Tensor:
        """Mean negative log-likelihood; gradients go to q only, p and s are taken as data."""
        return -self.log_likelihood(p.detach(), s.detach()).mean()

    def bound(
        self,
        p: Tensor,
        s: Tensor,
        permutation: Tensor | torch.Generator | None = None,
        exact: bool = False,
        *,
        moments: tuple[Tensor, Tensor] | None = None,
        clamp: bool = False,
    ) -> Tensor:
        """The bound of I(S;P) in nats, with q held fixed; of a q that is not the true conditional, an estimate.

        Args:
            p: `(b, p_dim)`.
            s: `(b, s_dim)`.
            permutation: Sampled negatives: `(b,)` indices; a generator on the device of s; None for the global one.
            exact: All pairs as negatives instead, in O(b); of the same cost and of less variance.
            moments: With `exact`: mean and population variance `(s_dim,)` of s over all users, so that all users are
                the negatives of a batch. Of the batch where None.
            clamp: Never below 0, as a mutual information is not.
        """
        mean, logvar = functional_call(self, _fixed(self), (p,))
        if exact:
            value = exact_bound(mean, logvar, s, moments)
        else:
            if not isinstance(permutation, Tensor):
                permutation = torch.randperm(len(s), generator=permutation, device=s.device)
            value = sampled_bound(mean, logvar, s, permutation)
        return value.clamp_min(0) if clamp else value

    @torch.no_grad()
    def estimate(self, p: Tensor, s: Tensor) -> float:
        """The exact bound as a number."""
        return float(self.bound(p, s, exact=True))


def exact_bound(mean: Tensor, logvar: Tensor, s: Tensor, moments: tuple[Tensor, Tensor] | None = None) -> Tensor:
    """1/n sum_u [log q(s_u|p_u) - 1/n sum_u' log q(s_u'|p_u)] for a Gaussian q, from two moments of s.

    With m and v the mean and variance of s, 1/n sum_u' (s_u' - mu)^2 = (m - mu)^2 + v, and the difference to
    (s_u - mu)^2 is (s_u - m)(s_u + m - 2 mu) - v, which does not cancel where mu is far away.

    Args:
        mean: `(n, d)` mu(p_u).
        logvar: `(n, d)` log-variances at p_u.
        s: `(n, d)`.
        moments: m and v, `(d,)` each; of s itself where None.
    """
    if moments is None:
        moments = s.mean(0), s.var(0, unbiased=False)
    centre, variance = moments
    difference = (s - centre) * (s + centre - 2 * mean) - variance
    return -0.5 * (difference * (-logvar).exp()).sum(-1).mean()


def sampled_bound(mean: Tensor, logvar: Tensor, s: Tensor, permutation: Tensor) -> Tensor:
    """1/n sum_u [log q(s_u|p_u) - log q(s_permutation(u)|p_u)]; the exact bound in expectation. Shapes as there."""
    negative = s[permutation]
    difference = (s - negative) * (s + negative - 2 * mean)
    return -0.5 * (difference * (-logvar).exp()).sum(-1).mean()


def _fixed(module: nn.Module) -> dict[str, Any]:
    return {name: parameter.detach() for name, parameter in module.named_parameters()}
