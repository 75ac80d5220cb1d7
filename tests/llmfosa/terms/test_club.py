"""The contrastive log-ratio upper bound against closed forms and loops."""

import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from simulator.llmfosa.terms.club import Club, exact_bound, sampled_bound  # noqa: E402


def gaussians(rho, dimensions, n, seed=0):
    generator = torch.Generator().manual_seed(seed)
    p, noise = torch.randn(2, n, dimensions, generator=generator, dtype=torch.float64)
    return p, rho * p + math.sqrt(1 - rho**2) * noise


@pytest.mark.parametrize("rho", [0.0, 0.3, 0.6, 0.9])
def test_with_the_true_conditional_the_bound_has_its_known_value_above_the_information(rho):
    dimensions = 4
    p, s = gaussians(rho, dimensions, 200_000)
    logvar = torch.full_like(s, math.log(1 - rho**2))
    value = dimensions * rho**2 / (1 - rho**2)
    information = -dimensions / 2 * math.log(1 - rho**2)
    bound = exact_bound(rho * p, logvar, s).item()
    assert bound == pytest.approx(value, rel=0.02, abs=1e-3)
    assert bound >= information - 1e-3
    permutation = torch.randperm(len(s), generator=torch.Generator().manual_seed(1))
    assert sampled_bound(rho * p, logvar, s, permutation).item() == pytest.approx(value, rel=0.03, abs=0.02)


def test_a_fitted_network_finds_the_known_value():
    rho, dimensions = 0.7, 2
    p, s = gaussians(rho, dimensions, 4000)
    torch.manual_seed(0)
    club = Club(dimensions, dimensions, hidden=32).double()
    optimizer = torch.optim.Adam(club.parameters(), lr=0.01)
    for _ in range(200):
        optimizer.zero_grad()
        club.fitting_loss(p, s).backward()
        optimizer.step()
    information = -dimensions / 2 * math.log(1 - rho**2)
    assert club.estimate(p, s) == pytest.approx(dimensions * rho**2 / (1 - rho**2), rel=0.08)
    assert club.estimate(p, s) > information
    entropy = dimensions / 2 * math.log(2 * math.pi * math.e * (1 - rho**2))  # of s given p: the best there is
    assert club.fitting_loss(p, s).item() == pytest.approx(entropy, abs=0.05)


@pytest.fixture
def small():
    torch.manual_seed(3)
    club = Club(3, 2, hidden=5).double()
    p, s = torch.randn(9, 3, dtype=torch.float64), torch.randn(9, 2, dtype=torch.float64)
    with torch.no_grad():
        mean, logvar = club(p)
    normal = torch.distributions.Normal(mean[:, None], (logvar[:, None] / 2).exp())
    return club, p, s, normal.log_prob(s[None]).sum(-1)  # [u, u'] log q(s_u'|p_u)


def test_the_likelihood_is_that_of_torchs_normal_distribution(small):
    club, p, s, pairs = small
    torch.testing.assert_close(club.log_likelihood(p, s), pairs.diagonal())


def test_the_exact_bound_is_that_of_a_loop_over_all_pairs(small):
    club, p, s, pairs = small
    total = sum(pairs[u, u] - sum(pairs[u, other] for other in range(9)) / 9 for u in range(9))
    assert club.bound(p, s, exact=True).item() == pytest.approx(total.item() / 9)


def test_the_sampled_bound_is_that_of_a_loop_over_the_permutation_and_exact_on_average(small):
    club, p, s, pairs = small
    permutation = torch.tensor([3, 1, 4, 0, 5, 8, 2, 6, 7])
    total = sum(pairs[u, u] - pairs[u, permutation[u]] for u in range(9))
    assert club.bound(p, s, permutation).item() == pytest.approx(total.item() / 9)
    shifts = [club.bound(p, s, torch.arange(9).roll(shift)).item() for shift in range(9)]
    assert np.mean(shifts) == pytest.approx(club.bound(p, s, exact=True).item())


def test_a_generator_draws_the_same_negatives_again(small):
    club, p, s, _ = small
    first, again = (club.bound(p, s, torch.Generator().manual_seed(8)).item() for _ in range(2))
    assert first == again
    assert club.bound(p, s, torch.Generator().manual_seed(9)).item() != first


def test_with_the_moments_of_all_users_batches_add_up_to_the_whole(small):
    club, p, s, _ = small
    moments = s.mean(0), s.var(0, unbiased=False)
    parts = [club.bound(p[rows], s[rows], exact=True, moments=moments) for rows in torch.arange(9).split(3)]
    torch.testing.assert_close(torch.stack(parts).mean(), club.bound(p, s, exact=True))


def test_the_bound_keeps_its_digits_where_s_is_far_from_zero():
    torch.manual_seed(0)
    mean, s = torch.randn(2, 50, 2)
    plain = exact_bound(mean, torch.zeros_like(s), s)
    shifted = exact_bound(mean + 1024, torch.zeros_like(s), s + 1024)  # float32
    torch.testing.assert_close(shifted, plain, rtol=1e-3, atol=2e-3)


def test_the_clamp_cuts_below_zero_only(small):
    club, p, _, _ = small
    with torch.no_grad():
        mean, _ = club(p)
    worse, better = 2 * mean.mean(0) - mean, mean
    assert club.bound(p, worse, exact=True) < 0
    assert club.bound(p, worse, exact=True, clamp=True) == 0
    assert club.bound(p, better, exact=True, clamp=True) == club.bound(p, better, exact=True) > 0


def test_the_spread_widens_the_log_variance():
    wide, narrow = Club(2, 2, spread=4.0), Club(2, 2)
    far = 1e3 * torch.randn(64, 2)
    assert narrow(far)[1].abs().max() <= 1 < wide(far)[1].abs().max() <= 4


def test_fitting_moves_q_only_and_the_bound_all_but_q(small):
    club, p, s, _ = small
    p, s = p.requires_grad_(), s.requires_grad_()
    club.fitting_loss(p, s).backward()
    assert p.grad is None
    assert s.grad is None
    assert all(parameter.grad.any() for parameter in club.parameters())
    club.zero_grad()
    for exact in (True, False):
        club.bound(p, s, exact=exact).backward()
    assert p.grad.any()
    assert s.grad.any()
    assert all(parameter.grad is None for parameter in club.parameters())
    assert not club.bound(p.detach(), s.detach()).requires_grad


def test_minimising_the_bound_makes_p_independent_of_s():
    torch.manual_seed(0)
    s = torch.randn(500, 1)
    p = torch.nn.Parameter(torch.cat([s + 0.5 * torch.randn(500, 1), torch.randn(500, 1)], 1))
    club = Club(2, 1, hidden=16)
    fit, free = torch.optim.Adam(club.parameters(), lr=0.02), torch.optim.Adam([p], lr=0.02)

    def correlation():
        return abs(np.corrcoef(p.detach()[:, 0], s[:, 0])[0, 1])

    before = correlation()
    for _ in range(60):
        for _ in range(3):
            fit.zero_grad()
            club.fitting_loss(p, s).backward()
            fit.step()
        free.zero_grad()
        club.bound(p, s, exact=True, clamp=True).backward()
        free.step()
    assert before > 0.8
    assert correlation() < 0.4
