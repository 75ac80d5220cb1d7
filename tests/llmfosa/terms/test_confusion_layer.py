"""The classifier seen through confusion matrices, and what keeps them identified."""

import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from simulator.llmfosa.terms.crowd import (  # noqa: E402
    ConfusionLayer,
    crowd_loss,
    logdet_penalty,
    posterior,
    prediction_logdet_penalty,
    trace_penalty,
)

TRUE_BINARY = np.array(
    [[[0.7, 0.3], [0.35, 0.65]], [[0.8, 0.2], [0.4, 0.6]], [[0.6, 0.4], [0.2, 0.8]], [[0.75, 0.25], [0.25, 0.75]]]
)
TRUE_TERNARY = np.stack(
    [
        0.1 * np.ones((3, 3)) + 0.7 * np.eye(3),
        np.array([[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.2, 0.1, 0.7]]),
        np.array([[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.1, 0.3, 0.6]]),
        np.array([[0.8, 0.1, 0.1], [0.3, 0.6, 0.1], [0.1, 0.1, 0.8]]),
    ]
)


def simulate(confusion, users, seed, abstain=0.1):
    """A feature that tells the value with some overlap, the values, and labels by the confusion matrices."""
    rng = np.random.default_rng(seed)
    personas, values, _ = confusion.shape
    codes = rng.integers(values, size=users)
    features = np.eye(values)[codes] * 2 + rng.normal(size=(users, values))
    cumulative = confusion[:, codes].cumsum(-1)
    labels = (rng.random((personas, users, 1)) > cumulative[..., :-1]).sum(-1).T
    labels[rng.random(labels.shape) < abstain] = -1
    return torch.tensor(features), codes, torch.tensor(labels)


@pytest.mark.parametrize("confusion", [TRUE_BINARY, TRUE_TERNARY], ids=["two values", "three values"])
def test_known_confusion_matrices_are_recovered(confusion):
    features, codes, labels = simulate(confusion, 8000, seed=5)
    personas, values, _ = confusion.shape
    torch.manual_seed(0)
    classifier = torch.nn.Linear(values, values).double()
    layer = ConfusionLayer(personas, values).double()
    optimizer = torch.optim.LBFGS([*classifier.parameters(), *layer.parameters()], max_iter=80)

    def closure():
        optimizer.zero_grad()
        loss = crowd_loss(classifier(features), layer.log_matrices(), labels)
        loss.backward()
        return loss

    optimizer.step(closure)
    with torch.no_grad():
        assert np.abs(layer.matrices().numpy() - confusion).mean() < 0.03
        logits = classifier(features)
        known = posterior(logits, layer.log_matrices(), labels)
    alone = np.mean(logits.argmax(1).numpy() == codes)
    assert np.mean(known.argmax(1).numpy() == codes) > alone  # the labels add to what s says
    assert known.numpy()[np.arange(len(codes)), codes].mean() == pytest.approx(
        known.square().sum(1).mean().item(), abs=0.02
    )


def test_the_loss_and_the_posterior_are_those_of_a_loop():
    rng = np.random.default_rng(0)
    logits, labels = rng.normal(size=(7, 3)), rng.integers(-1, 3, size=(7, 4))
    labels[2] = -1
    confusion = rng.dirichlet(np.ones(3), size=(4, 3))
    expected, weights = [], np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    for user, own in enumerate(labels):
        prior = weights[user].copy()
        for persona, label in enumerate(own):
            if label >= 0:
                expected.append(-math.log(sum(prior[a] * confusion[persona, a, label] for a in range(3))))
        for persona, label in enumerate(own):
            if label >= 0:
                weights[user] *= confusion[persona, :, label]
    arguments = torch.tensor(logits), torch.tensor(confusion).log(), torch.tensor(labels)
    assert crowd_loss(*arguments).item() == pytest.approx(np.mean(expected))
    np.testing.assert_allclose(posterior(*arguments), weights / weights.sum(1, keepdims=True))


def test_the_loss_has_the_gradient_of_finite_differences():
    labels = torch.tensor([[0, 1], [-1, 2], [2, 2]])
    logits = torch.randn(3, 3, dtype=torch.float64, requires_grad=True)
    raw = torch.randn(2, 3, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda c, f: crowd_loss(c, f.log_softmax(-1), labels), (logits, raw))


def test_a_sure_classifier_and_a_certain_annotator_stay_finite():
    logits = torch.tensor([[500.0, -500.0]], requires_grad=True)
    layer = ConfusionLayer(1, 2, np.eye(2)[None])
    loss = crowd_loss(logits, layer.log_matrices(), torch.tensor([[1]]))
    loss.backward()
    assert loss.item() == pytest.approx(-math.log(0.01 / 1.01), rel=1e-5)
    assert torch.isfinite(logits.grad).all()
    assert torch.isfinite(layer.logits.grad).all()


def test_without_labels_the_loss_is_zero_and_the_posterior_the_classifier():
    logits = torch.randn(3, 2, requires_grad=True)
    none = torch.full((3, 2), -1)
    loss = crowd_loss(logits, ConfusionLayer(2, 2).log_matrices(), none)
    loss.backward()
    assert loss.item() == 0
    assert not logits.grad.any()
    torch.testing.assert_close(posterior(logits, ConfusionLayer(2, 2).log_matrices(), none), logits.softmax(-1))


def test_matrices_start_from_those_given_or_from_a_diagonal():
    layer = ConfusionLayer(4, 3, TRUE_TERNARY)
    np.testing.assert_allclose(layer.matrices().detach(), TRUE_TERNARY, atol=1e-6)
    np.testing.assert_allclose(layer.log_matrices().exp().sum(-1).detach(), 1, rtol=1e-6)
    plain = ConfusionLayer(2, 3, diagonal=0.8).matrices().detach()
    np.testing.assert_allclose(plain[1], [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]], atol=1e-6)


def test_matrices_of_another_shape_are_refused():
    with pytest.raises(ValueError, match=r"have shape \(4, 3, 3\); give them as \(4, 2, 2\)"):
        ConfusionLayer(4, 2, TRUE_TERNARY)


def test_the_trace_is_the_mean_over_personas():
    assert trace_penalty(torch.tensor(TRUE_BINARY)).item() == pytest.approx(np.mean([1.35, 1.4, 1.4, 1.5]))


def test_the_log_determinant_is_numpys_and_least_for_the_best_annotators():
    stacked = np.concatenate([matrix.T for matrix in TRUE_TERNARY])
    expected = -np.linalg.slogdet(stacked.T @ stacked + 1e-6 * np.eye(3))[1]
    assert logdet_penalty(torch.tensor(TRUE_TERNARY)).item() == pytest.approx(expected)
    perfect, useless = torch.eye(3).expand(4, 3, 3), torch.full((4, 3, 3), 1 / 3)
    assert logdet_penalty(perfect) < expected < logdet_penalty(useless)
    assert torch.isfinite(logdet_penalty(useless))


def test_predictions_that_spread_have_the_smaller_log_determinant():
    spread = 20 * torch.eye(2).repeat(4, 1)
    assert prediction_logdet_penalty(spread).item() == pytest.approx(-2 * math.log(0.5), abs=1e-4)
    assert prediction_logdet_penalty(spread) < prediction_logdet_penalty(20 * torch.eye(2)[[0] * 7 + [1]])
