"""Every term in single and double precision."""

import pytest

torch = pytest.importorskip("torch")

from simulator.llmfosa.terms.adversary import Adversary  # noqa: E402
from simulator.llmfosa.terms.club import Club  # noqa: E402
from simulator.llmfosa.terms.conditional import conditional_bpr, conditional_info_nce  # noqa: E402
from simulator.llmfosa.terms.contrast import Rationale  # noqa: E402
from simulator.llmfosa.terms.crowd import ConfusionLayer, crowd_loss, logdet_penalty, trace_penalty  # noqa: E402
from simulator.llmfosa.terms.dro import dro_loss  # noqa: E402
from simulator.llmfosa.terms.ranking import bpr_loss  # noqa: E402
from simulator.llmfosa.terms.similarity import nearest, similarity_loss  # noqa: E402


def terms(kind):
    """A loss of every term for the same draws, in the precision asked for."""
    torch.manual_seed(0)
    x, z, s, q = torch.randn(4, 12, 4).to(kind)
    labels = torch.randint(-1, 2, (12, 3))
    confusion, club, rationale, adversary = (
        module.to(kind) for module in (ConfusionLayer(3, 2), Club(4, 4), Rationale(4, 4), Adversary(4, 2))
    )
    matrices = confusion.matrices()
    neighbours = nearest(x[:3], 2)
    return {
        "bpr": bpr_loss((x * z).sum(1), (x * q).sum(1)),
        "crowd": crowd_loss(z[:, :2], confusion.log_matrices(), labels),
        "trace": trace_penalty(matrices),
        "logdet": logdet_penalty(matrices),
        "similarity": similarity_loss(matrices * matrices, *neighbours),
        "kl": similarity_loss(matrices, *neighbours, "kl"),
        "fine": rationale(s, q),
        "club fit": club.fitting_loss(z, s),
        "club": club.bound(z, s, exact=True),
        "club sampled": club.bound(z, s, torch.arange(12).roll(1)),
        "conditional": conditional_info_nce(x, z, s, labels[:, 0]),
        "conditional ranking": conditional_bpr(z, s, q, x, x, q),
        "dro": dro_loss(x.square().sum(1)),
        "adversary": adversary.reversed_loss(z, labels[:, 0]),
    }


def test_double_precision_stays_double_and_agrees_with_single():
    single, double = terms(torch.float32), terms(torch.float64)
    assert {name: value.dtype for name, value in single.items()} == dict.fromkeys(single, torch.float32)
    assert {name: value.dtype for name, value in double.items()} == dict.fromkeys(double, torch.float64)
    for name, value in double.items():
        assert single[name].item() == pytest.approx(value.item(), rel=1e-4, abs=1e-6), name
