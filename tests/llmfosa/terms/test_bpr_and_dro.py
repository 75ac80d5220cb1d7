"""The ranking loss, and the worst loss of any large group."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from scipy.optimize import minimize, minimize_scalar  # noqa: E402

from simulator.llmfosa.terms.dro import dro_loss, worst_weights  # noqa: E402
from simulator.llmfosa.terms.ranking import bpr_loss  # noqa: E402


def test_bpr_is_the_mean_log_odds_of_the_wrong_order():
    gaps = torch.tensor([0.0, 1.0, -2.0], dtype=torch.float64)
    expected = -torch.log(1 / (1 + torch.exp(-gaps))).mean()
    torch.testing.assert_close(bpr_loss(gaps, torch.zeros(3, dtype=torch.float64)), expected)


def test_bpr_stays_finite_and_keeps_its_gradient_where_a_score_is_far_off():
    scores = torch.tensor([-1000.0, 1000.0], requires_grad=True)
    loss = bpr_loss(scores, torch.zeros(2))
    loss.backward()
    assert loss.item() == 500
    assert scores.grad.tolist() == [-0.5, 0]


@pytest.mark.parametrize("smallest", [0.05, 0.2, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("kind", ["exponential", "ties", "outlier"])
def test_dro_is_the_minimum_of_its_dual(smallest, kind):
    rng = np.random.default_rng(3)
    losses = {
        "exponential": rng.exponential(size=400),
        "ties": rng.integers(0, 3, size=50).astype(float),
        "outlier": np.r_[rng.normal(size=99), 1e4],
    }[kind]
    constant = np.sqrt(2 * (1 / smallest - 1) ** 2 + 1)

    def dual(eta):
        return constant * np.sqrt(np.mean(np.maximum(losses - eta, 0) ** 2)) + eta

    reach = losses.std() / np.sqrt(constant**2 - 1)
    found = minimize_scalar(dual, bounds=(losses.mean() - 2 * reach - 1, losses.max()), method="bounded")
    ours = dro_loss(torch.tensor(losses), smallest).item()
    assert ours == pytest.approx(min(found.fun, losses.max()), rel=1e-4)
    assert ours <= found.fun * (1 + 1e-9)


def test_dro_is_the_worst_reweighting_within_the_chi_square_ball():
    losses = np.array([0.2, 1.0, 0.4, 2.5, 1.7])
    smallest = 0.7
    radius = 2 * (1 / smallest - 1) ** 2
    primal = minimize(
        lambda w: -np.mean(w * losses),
        np.ones(5),
        bounds=[(0, None)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda w: np.mean(w) - 1},
            {"type": "ineq", "fun": lambda w: radius - np.mean((w - 1) ** 2)},
        ],
        method="SLSQP",
    )
    assert dro_loss(torch.tensor(losses), smallest).item() == pytest.approx(-primal.fun, rel=1e-5)
    np.testing.assert_allclose(worst_weights(torch.tensor(losses), smallest) * 5, primal.x, atol=1e-3)


def test_dro_bounds_the_loss_of_every_group_that_is_large_enough():
    losses = torch.tensor(np.random.default_rng(1).exponential(size=100))
    worst = losses.sort(descending=True).values
    assert all(dro_loss(losses, share / 100) >= worst[:share].mean() for share in range(1, 101))


def test_dro_of_one_group_is_the_mean_and_of_equal_losses_their_value():
    losses = torch.tensor([1.0, 2.0, 6.0])
    assert dro_loss(losses, 1).item() == pytest.approx(3)
    assert dro_loss(torch.full((4,), 2.5), 0.2).item() == pytest.approx(2.5)


def test_dro_gradient_is_that_of_finite_differences():
    losses = torch.tensor([0.3, 1.1, 0.9, 2.0, 1.4], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda values: dro_loss(values, 0.6), losses)
    constant = torch.ones(3, requires_grad=True)
    dro_loss(constant, 0.5).backward()
    assert torch.isfinite(constant.grad).all()


def test_a_share_that_is_none_is_refused():
    with pytest.raises(ValueError, match="must lie in"):
        dro_loss(torch.ones(2), 0)
