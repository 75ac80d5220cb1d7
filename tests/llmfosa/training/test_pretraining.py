"""Stage 0 learns to rank, from the training part, and stops by the validation part."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")
from torch.nn import functional  # noqa: E402

from simulator.llmfosa.training.accuracy import validation_ndcg  # noqa: E402
from simulator.llmfosa.training.pretrain import pretrain, triplet_loss  # noqa: E402


def test_the_loss_is_bpr_and_half_the_weighted_mean_squared_norms():
    p, chosen, other = torch.randn(3, 5, 4)
    bpr = -functional.logsigmoid((p * chosen).sum(1) - (p * other).sum(1)).mean()
    norms = (p.norm(dim=1) ** 2 + chosen.norm(dim=1) ** 2 + other.norm(dim=1) ** 2).mean()
    assert triplet_loss(p, chosen, other, 0.3).item() == pytest.approx((bpr + 0.15 * norms).item(), rel=1e-5)


@pytest.mark.parametrize("encoder", ["mf", "lightgcn"])
def test_the_ranking_gets_better_than_chance_and_the_best_epoch_is_kept(small, quick, encoder):
    options = replace(quick.pretraining, encoder=encoder, epochs=20, learning_rate=1e-2)
    x, y, history = pretrain(small, options, seed=0)
    best = max(terms["validation"] for terms in history.terms if "validation" in terms)
    assert validation_ndcg(small, x, y) == best == history.terms[history.best - 1]["validation"]
    chance = np.mean([validation_ndcg(small, torch.randn(80, 8), torch.randn(50, 8)) for _ in range(20)])
    assert best > 1.5 * chance
    assert history.terms[-1]["bpr"] < history.terms[0]["bpr"]
    assert history.seconds > 0


def test_validation_hides_training_items_and_is_0_without_any(small):
    perfect = torch.as_tensor(small.valid.toarray() > 0, dtype=torch.float32)
    seen = torch.as_tensor(small.train.toarray() > 0, dtype=torch.float32)
    assert validation_ndcg(small, perfect + 9 * seen, torch.eye(50)) == pytest.approx(1)
    nobody = replace(small, valid=(small.valid * 0).tocsr())
    nobody.valid.eliminate_zeros()
    assert validation_ndcg(nobody, perfect, torch.eye(50)) == 0
