"""The adversary's two sides."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from simulator.llmfosa.terms.adversary import Adversary, attribute_loss, reverse  # noqa: E402


def test_reversal_is_the_identity_with_the_gradient_turned_around():
    x = torch.tensor([1.0, -2.0], requires_grad=True)
    y = reverse(x, 0.5)
    assert y.tolist() == [1, -2]
    (3 * y).sum().backward()
    assert x.grad.tolist() == [-1.5, -1.5]


def test_reversed_and_alternating_losses_have_the_same_gradients():
    torch.manual_seed(0)
    adversary = Adversary(4, 3)
    target = torch.tensor([0, 2, -1, 1, 0])
    x = torch.randn(5, 4, requires_grad=True)
    adversary.reversed_loss(x, target, 0.7).backward()
    embedding, own = x.grad.clone(), [parameter.grad.clone() for parameter in adversary.parameters()]
    x.grad = None
    adversary.zero_grad()
    (0.7 * adversary.fooling_loss(x, target)).backward()
    torch.testing.assert_close(x.grad, embedding)
    assert all(parameter.grad is None for parameter in adversary.parameters())
    x.grad = None
    adversary.fitting_loss(x, target).backward()
    assert x.grad is None
    torch.testing.assert_close([parameter.grad for parameter in adversary.parameters()], own)


def test_unknown_values_are_left_out_and_probabilities_stand_for_codes():
    logits = torch.randn(4, 2, dtype=torch.float64)
    codes = torch.tensor([1, -1, 0, -1])
    torch.testing.assert_close(attribute_loss(logits, codes), attribute_loss(logits[[0, 2]], codes[[0, 2]]))
    soft = torch.eye(2)[[1, 0, 0, 1]]
    torch.testing.assert_close(attribute_loss(logits, soft), attribute_loss(logits, torch.tensor([1, 0, 0, 1])))
    assert attribute_loss(logits, torch.full((4,), -1)).item() == 0


def test_an_embedding_that_leaks_stops_leaking():
    torch.manual_seed(0)
    codes = torch.arange(400) % 2
    x = torch.nn.Parameter(torch.randn(400, 3) + 2 * codes[:, None])
    adversary = Adversary(3, 2)
    guess, hide = torch.optim.Adam(adversary.parameters(), lr=0.01), torch.optim.Adam([x], lr=0.01)

    def step(optimizer, loss):
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    def gap():
        return np.abs((x[codes == 1].mean(0) - x[codes == 0].mean(0)).detach().numpy()).mean()

    before = gap()
    for _ in range(100):
        step(guess, adversary.fitting_loss(x, codes))
    assert (adversary(x).argmax(1) == codes).float().mean() > 0.9
    for _ in range(300):
        step(guess, adversary.fitting_loss(x, codes))
        step(hide, adversary.fooling_loss(x, codes))
    assert gap() < before / 3
