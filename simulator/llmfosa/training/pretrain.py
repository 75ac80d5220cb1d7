"""Stage 0: the collaborative encoder, trained by BPR alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor, nn

from simulator.llmfosa.interactions import Interactions
from simulator.llmfosa.nets.factors import Factors, drawn
from simulator.llmfosa.nets.lightgcn import LightGCN
from simulator.llmfosa.terms.ranking import bpr_loss
from simulator.llmfosa.training.accuracy import validation_ndcg
from simulator.llmfosa.training.loop import History, Stage, Watch, train
from simulator.llmfosa.training.options import Pretraining
from simulator.llmfosa.training.sampling import Triplets
from simulator.llmfosa.training.setting import seeded


class RankingStage(Stage):
    """BPR + l2/2 of the squared norms, of an encoder that gives embeddings of all users and items."""

    def __init__(
        self, data: Interactions, encoder: nn.Module, options: Pretraining, device: torch.device, seed: int
    ) -> None:
        self.name = "pretraining"
        self.data = data
        self.options = options
        self.generator = seeded(seed, self.name)
        self.networks = nn.ModuleDict({"encoder": encoder.to(device)})
        self.optimisers = [torch.optim.Adam(encoder.parameters(), lr=options.learning_rate, fused=device.type == "cpu")]
        self.triplets = Triplets(data.train, self.generator, device)

    def batches(self) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        """The epoch's batches of users, chosen and other items."""
        options = self.options
        return self.triplets.epoch(options.batch if options.encoder == "mf" else options.graph_batch)

    def epoch(self) -> dict[str, float]:
        """One pass over the interactions."""
        total, count = torch.zeros(()), 0
        for users, items, others in self.batches():
            x, y = self.networks["encoder"]()
            loss = triplet_loss(x[users], y[items], y[others], self.options.l2)
            self.optimisers[0].zero_grad(set_to_none=True)
            loss.backward()
            self.optimisers[0].step()
            total, count = total + loss.detach().cpu(), count + 1
        return {"bpr": float(total) / max(count, 1)}

    @torch.no_grad()
    def validate(self) -> float:
        """NDCG@10 on the validation part."""
        return validation_ndcg(self.data, *self.networks["encoder"]())


def triplet_loss(p: Tensor, chosen: Tensor, other: Tensor, l2: float) -> Tensor:
    """BPR of `(b, d)` users, chosen and other items, and l2 times half their mean squared norms."""
    norms = p.square().sum() + chosen.square().sum() + other.square().sum()
    return bpr_loss((p * chosen).sum(-1), (p * other).sum(-1)) + l2 / 2 * norms / max(len(p), 1)


def pretrain(
    data: Interactions,
    options: Pretraining,
    *,
    seed: int,
    device: torch.device | None = None,
    checkpoint: Path | None = None,
    key: str = "",
    watch: Watch | None = None,
) -> tuple[Tensor, Tensor, History]:
    """`(n, d)` x and `(m, d)` y of the best epoch on the validation part, on the CPU, and what happened."""
    device = device or torch.device("cpu")
    start = seeded(seed, "embeddings")
    n, m = data.shape
    users, items = drawn((n, options.dim), start), drawn((m, options.dim), start)
    encoder: nn.Module
    encoder = Factors(users, items) if options.encoder == "mf" else LightGCN(users, items, data.train, options.layers)
    stage = RankingStage(data, encoder, options, device, seed)
    history = train(
        stage,
        epochs=options.epochs,
        every=options.every,
        patience=options.patience,
        checkpoint=checkpoint,
        key=key,
        watch=watch,
    )
    with torch.no_grad():
        x, y = encoder()
    return x.detach().cpu().clone(), y.detach().cpu().clone(), history
