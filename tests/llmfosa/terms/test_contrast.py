"""InfoNCE: a bound of the mutual information, and L_fine."""

import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from simulator.llmfosa.terms.contrast import (  # noqa: E402
    Rationale,
    contrast,
    info_nce,
    information_bound,
    rationale_loss,
)


def gaussian_scores(rho, dimensions, batch, seed):
    """log p(y|x) / p(y) of a batch of correlated Gaussians: the optimal critic."""
    generator = torch.Generator().manual_seed(seed)
    x, noise = torch.randn(2, batch, dimensions, generator=generator, dtype=torch.float64)
    y = rho * x + math.sqrt(1 - rho**2) * noise
    conditional = -(y[None] - rho * x[:, None]).square() / (2 * (1 - rho**2)) + y[None].square() / 2
    return conditional.sum(-1) - dimensions / 2 * math.log(1 - rho**2)


@pytest.mark.parametrize(("rho", "dimensions"), [(0.0, 2), (0.5, 2), (0.6, 3)])
def test_the_bound_with_the_optimal_critic_is_the_information_of_correlated_gaussians(rho, dimensions):
    batch = 512
    scores = [gaussian_scores(rho, dimensions, batch, seed) for seed in range(12)]
    bound = np.mean([information_bound(contrast(batched), batch).item() for batched in scores])
    assert bound == pytest.approx(-dimensions / 2 * math.log(1 - rho**2), abs=0.04)
    seen = np.mean([batched.diagonal().mean().item() for batched in scores])  # the information in these very draws
    assert seen - 0.025 < bound <= seen + 0.005


def test_the_bound_never_says_more_than_the_logarithm_of_the_batch():
    scores = gaussian_scores(0.999, 4, 64, 0)  # 12.4 nats, of which 64 pairs can show 4.2
    bound = information_bound(contrast(scores), 64).item()
    assert math.log(64) - 0.05 < bound <= math.log(64)
    assert information_bound(contrast(1e4 * torch.eye(64)), 64).item() <= math.log(64) + 1e-6


def test_the_loss_is_that_of_a_loop():
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 6, 3))
    cosines = (a @ b.T) / np.outer(np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)) / 0.3
    expected = -np.mean([cosines[u, u] - math.log(sum(math.exp(c) for c in cosines[u])) for u in range(6)])
    assert info_nce(torch.tensor(a), torch.tensor(b), 0.3).item() == pytest.approx(expected)


def test_users_without_a_rationale_are_neither_pairs_nor_negatives():
    torch.manual_seed(0)
    projections = Rationale(4, 6)
    s, e = torch.randn(5, 4), torch.randn(5, 6)
    silent = e.clone()
    silent[[1, 3]] = 0
    kept = [0, 2, 4]
    torch.testing.assert_close(projections(s, silent), projections(s[kept], e[kept]))
    nobody = s.requires_grad_()
    loss = projections(nobody, torch.zeros(5, 6))
    loss.backward()
    assert loss.item() == 0
    assert not nobody.grad.any()


def test_gradients_go_to_s_and_the_projections_but_not_to_the_rationales():
    projections = Rationale(4, 6)
    s, e = torch.randn(5, 4, requires_grad=True), torch.randn(5, 6, requires_grad=True)
    rationale_loss(s, e, projections).backward()
    assert s.grad.any()
    assert projections.g.weight.grad.any()
    assert projections.h.weight.grad.any()
    assert e.grad is None


def test_s_learns_what_the_rationales_say():
    torch.manual_seed(0)
    said = torch.randn(256, 6)
    said[:, 0] *= 3
    s = torch.nn.Parameter(torch.randn(256, 2))
    projections = Rationale(2, 6, dim=8)
    optimizer = torch.optim.Adam([s, *projections.parameters()], lr=0.05)
    before = projections(s, said).item()
    for _ in range(60):
        optimizer.zero_grad()
        loss = projections(s, said)
        loss.backward()
        optimizer.step()
    assert loss.item() < before - 1
