"""LightGCN against its formula with dense matrices."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from simulator.llmfosa.matrices import sparse  # noqa: E402
from simulator.llmfosa.nets.lightgcn import LightGCN  # noqa: E402

N, M, D = 7, 5, 3


@pytest.fixture
def graph():
    """Interactions with strengths; user 3 has none, nobody has item 4."""
    rng = np.random.default_rng(0)
    rows, columns = np.nonzero((rng.random((N, M)) < 0.5) & (np.arange(N)[:, None] != 3) & (np.arange(M) != 4))
    return sparse(rows, columns, rng.integers(1, 6, len(rows)).astype(float), (N, M))


def dense(train, users, items, layers):
    """Mean of A^l (users; items) over l = 0..layers, A the symmetrically normalised adjacency matrix."""
    chosen = (train.toarray() > 0).astype(float)
    adjacency = np.block([[np.zeros((N, N)), chosen], [chosen.T, np.zeros((M, M))]])
    degree = adjacency.sum(1)
    scale = np.divide(1, np.sqrt(degree), out=np.zeros(N + M), where=degree > 0)
    normal = scale[:, None] * adjacency * scale
    powers = [np.linalg.matrix_power(normal, layer) for layer in range(layers + 1)]
    both = np.mean(powers, axis=0) @ np.vstack([users, items])
    return both[:N], both[N:], np.mean(powers, axis=0)


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_embeddings_are_the_mean_over_layers_of_the_smoothed_ones(graph, layers):
    users, items = torch.randn(N, D), torch.randn(M, D)
    with torch.no_grad():
        x, y = LightGCN(users, items, graph, layers)()
    wanted = dense(graph, users.numpy(), items.numpy(), layers)
    np.testing.assert_allclose(x, wanted[0], atol=1e-5)
    np.testing.assert_allclose(y, wanted[1], atol=1e-5)


def test_gradients_are_those_of_the_dense_formula_and_of_finite_differences(graph):
    net = LightGCN(torch.randn(N, D), torch.randn(M, D), graph, 3).double()
    up, down = torch.randn(N, D, dtype=torch.float64), torch.randn(M, D, dtype=torch.float64)

    def loss():
        x, y = net()
        return (x * up).sum() + (y.square() * down).sum()

    loss().backward()
    _, y = net()
    above = np.vstack([up.numpy(), (2 * y * down).detach().numpy()])
    smooth = dense(graph, np.zeros((N, D)), np.zeros((M, D)), 3)[2]
    wanted = smooth.T @ above
    np.testing.assert_allclose(net.users.grad, wanted[:N], atol=1e-6)
    np.testing.assert_allclose(net.items.grad, wanted[N:], atol=1e-6)
    step = 1e-5
    with torch.no_grad():
        for parameter, place in ((net.users, (0, 1)), (net.items, (2, 0))):
            parameter[place] += step
            high = float(loss())
            parameter[place] -= 2 * step
            low = float(loss())
            parameter[place] += step
            assert (high - low) / (2 * step) == pytest.approx(float(parameter.grad[place]), abs=1e-5)


def test_a_checkpoint_holds_no_copy_of_the_graph(graph):
    assert list(LightGCN(torch.zeros(N, D), torch.zeros(M, D), graph).state_dict()) == ["users", "items"]
