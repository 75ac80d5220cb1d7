"""L_sim and the personas that are near."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from scipy.special import rel_entr  # noqa: E402

from simulator.llmfosa.terms.similarity import nearest, similarity_loss  # noqa: E402


@pytest.fixture
def setting():
    rng = np.random.default_rng(2)
    matrices = torch.tensor(rng.dirichlet(np.ones(3), size=(5, 3)), requires_grad=True)
    neighbours, weights = nearest(torch.tensor(rng.random((5, 4))), 2)
    return matrices, neighbours, weights


def test_the_loss_is_that_of_a_loop(setting):
    matrices, neighbours, weights = setting
    values = matrices.detach().numpy()
    expected = {"frobenius": 0.0, "kl": 0.0}
    for i in range(5):
        for j, weight in zip(neighbours[i].tolist(), weights[i].tolist(), strict=True):
            expected["frobenius"] += weight * np.linalg.norm(values[i] - values[j]) ** 2 / 10
            divergence = rel_entr(values[i], values[j]).sum() + rel_entr(values[j], values[i]).sum()
            expected["kl"] += weight * divergence / 10
    for distance, value in expected.items():
        assert similarity_loss(matrices, neighbours, weights, distance).item() == pytest.approx(value)


def test_the_gradient_is_the_analytic_one(setting):
    matrices, neighbours, weights = setting
    similarity_loss(matrices, neighbours, weights).backward()
    values, expected = matrices.detach(), torch.zeros_like(matrices)
    for i in range(5):  # d/dF_i of w |F_i - F_j|^2 is 2 w (F_i - F_j), and the opposite for F_j
        for j, weight in zip(neighbours[i].tolist(), weights[i].tolist(), strict=True):
            pull = 2 * weight * (values[i] - values[j]) / 10
            expected[i] += pull
            expected[j] -= pull
    torch.testing.assert_close(matrices.grad, expected)


@pytest.mark.parametrize("distance", ["frobenius", "kl"])
def test_the_gradient_is_that_of_finite_differences(setting, distance):
    matrices, neighbours, weights = setting
    assert torch.autograd.gradcheck(lambda m: similarity_loss(m, neighbours, weights, distance), matrices)


def test_the_nearest_are_those_of_highest_cosine():
    neighbours, weights = nearest(torch.tensor([[1.0, 0.0], [1.0, 1.0], [0.0, 3.0], [-1.0, 0.1]]), 2)
    assert neighbours.tolist() == [[1, 2], [0, 2], [1, 3], [2, 1]]
    np.testing.assert_allclose(weights[0], [0.5**0.5, 0], atol=1e-6)
    assert (weights >= 0).all()


def test_ties_go_to_the_lower_index():
    scales = np.random.default_rng(0).uniform(0.1, 9, size=(200, 1))
    same = torch.tensor(scales * np.random.default_rng(1).random(7))  # one direction, each with its own rounding
    neighbours, weights = nearest(same, 2)
    assert neighbours.tolist() == [[1, 2], [0, 2], *([0, 1] for _ in range(198))]
    assert (weights == 1).all()


def test_neighbours_are_no_more_than_there_are():
    neighbours, weights = nearest(torch.randn(3, 4), 10)
    assert neighbours.shape == weights.shape == (3, 2)
    alone, none = nearest(torch.randn(1, 4), 3)
    matrices = torch.eye(2)[None].requires_grad_()
    loss = similarity_loss(matrices, alone, none)
    loss.backward()
    assert loss.item() == 0
    assert not matrices.grad.any()


def test_an_unknown_distance_is_refused(setting):
    with pytest.raises(ValueError, match='choose "frobenius" or "kl"'):
        similarity_loss(*setting, "cosine")
