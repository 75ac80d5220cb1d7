"""Free factors and the sensitive encoder."""

import pytest

torch = pytest.importorskip("torch")

from simulator.llmfosa.nets.factors import Factors, drawn  # noqa: E402
from simulator.llmfosa.nets.sensitive import SensitiveEncoder, encode  # noqa: E402


def test_factors_start_at_what_they_are_given_and_leave_it_alone():
    start = torch.ones(3, 2)
    factors = Factors(start, torch.zeros(4, 2))
    with torch.no_grad():
        factors.users += 1
    assert torch.equal(start, torch.ones(3, 2))
    assert torch.equal(factors()[0], torch.full((3, 2), 2.0))


def test_drawn_embeddings_have_the_scale_and_follow_the_seed():
    first = drawn((2000, 8), torch.Generator().manual_seed(5), 0.3)
    assert torch.equal(first, drawn((2000, 8), torch.Generator().manual_seed(5), 0.3))
    assert first.std().item() == pytest.approx(0.3, rel=0.03)


def test_encoding_has_no_dropout_and_leaves_the_network_in_its_mode():
    network = SensitiveEncoder(6, 3, width=4, dropout=0.9)
    x = torch.randn(50, 6)
    network.train()
    s, chances = encode(network, x)
    again, _ = encode(network, x)
    assert network.training
    assert torch.equal(s, again)
    assert not torch.equal(network(x)[0], s)
    assert s.shape == (50, 4)
    assert torch.allclose(chances.sum(1), torch.ones(50))
    assert torch.allclose(chances, network.classifier(s).softmax(-1))
    network.eval()
    encode(network, x)
    assert not network.training
