"""Stage 1: what the frozen embeddings say of the attribute, learnt from annotators who err, or from labels."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from simulator.llmfosa.nets.sensitive import SensitiveEncoder, encode
from simulator.llmfosa.terms.adversary import attribute_loss
from simulator.llmfosa.terms.contrast import Rationale
from simulator.llmfosa.terms.crowd import ConfusionLayer, crowd_loss, trace_penalty
from simulator.llmfosa.terms.similarity import nearest, similarity_loss
from simulator.llmfosa.training.loop import History, Stage, Watch, train
from simulator.llmfosa.training.options import SensitiveTraining
from simulator.llmfosa.training.setting import seeded


@dataclass(frozen=True, eq=False)
class Evidence:
    """What stage 1 learns from.

    Attributes:
        values: A, the number of values of the attribute.
        labels: `(n, P)` codes by annotator, -1 where it abstained.
        confusion: `(P, A, A)` matrices to start from; None takes the labels as they are: no annotator errs.
        rationales: `(n, e)` embeddings of the texts, zero rows where there is none; or None.
        personas: `(P, e')` embeddings of the personas' descriptions; or None.
    """

    values: int
    labels: NDArray[np.int64]
    confusion: NDArray[np.float64] | None = None
    rationales: NDArray[np.float32] | None = None
    personas: NDArray[np.float32] | None = None


@dataclass(frozen=True, eq=False)
class Sensitive:
    """What stage 1 found.

    Attributes:
        s: `(n, width)` sensitive representations.
        classified: `(n, A)` C(a|s_u), which has seen the embedding alone.
        confusion: `(P, A, A)` the annotators' confusion matrices; None where none were learnt.
        history: How the training went.
    """

    s: Tensor
    classified: NDArray[np.float64]
    confusion: NDArray[np.float64] | None
    history: History


class SensitiveStage(Stage):
    """L_sen (through the confusion matrices, or plain cross-entropy), L_sim, L_fine and the trace penalty."""

    def __init__(
        self, x: Tensor, evidence: Evidence, options: SensitiveTraining, device: torch.device, seed: int
    ) -> None:
        self.name = "sensitive"
        self.options = options
        self.evidence = evidence
        self.generator = seeded(seed, self.name)
        self.x = _standardised(x).to(device)
        self.labels = torch.as_tensor(evidence.labels).to(device)
        personas = self.labels.shape[1]
        network = SensitiveEncoder(x.shape[1], evidence.values, options.width, options.hidden, options.dropout)
        parts: dict[str, nn.Module] = {"network": network}
        groups = [{"params": list(network.parameters()), "weight_decay": options.weight_decay}]
        if evidence.confusion is not None:
            layer = ConfusionLayer(personas, evidence.values, evidence.confusion)
            parts["confusion"] = layer
            groups.append({"params": list(layer.parameters()), "lr": options.confusion_rate})
        self.rationales = None
        if evidence.rationales is not None and options.rationale:
            self.rationales = torch.as_tensor(evidence.rationales).to(device)
            told = Rationale(options.width, self.rationales.shape[1], temperature=options.temperature)
            parts["rationale"] = told
            groups.append({"params": list(told.parameters())})
        self.neighbours = None
        if evidence.personas is not None and options.similarity and evidence.confusion is not None and personas > 1:
            near, weights = nearest(torch.as_tensor(evidence.personas), options.neighbours)
            self.neighbours = near.to(device), weights.to(device)
        self.networks = nn.ModuleDict(parts).to(device)
        self.optimisers = [torch.optim.Adam(groups, lr=options.learning_rate)]
        judged = (self.labels >= 0).any(-1).nonzero().squeeze(-1).cpu()
        order = judged[torch.randperm(len(judged), generator=self.generator)]
        held = round(options.held_out * len(order))
        self.held, self.learnt = order[:held].to(device), order[held:]

    def epoch(self) -> dict[str, float]:
        """One pass over the users with a label."""
        options, count = self.options, 0
        totals: dict[str, float] = {}
        self.networks.train()
        order = self.learnt[torch.randperm(len(self.learnt), generator=self.generator)].to(self.x.device)
        for batch in order.split(options.batch):
            s, logits = self.networks["network"](self.x[batch])
            terms = {"sensitive": self._label_loss(logits, self.labels[batch])}
            loss = terms["sensitive"]
            if "confusion" in self.networks:
                matrices = self.networks["confusion"].matrices()
                if self.neighbours is not None:
                    terms["similarity"] = similarity_loss(matrices, *self.neighbours)
                    loss = loss + options.similarity * terms["similarity"]
                if options.trace:
                    terms["trace"] = trace_penalty(matrices)
                    loss = loss + options.trace * terms["trace"]
            if self.rationales is not None:
                terms["rationale"] = self.networks["rationale"](s, self.rationales[batch])
                loss = loss + options.rationale * terms["rationale"]
            self.optimisers[0].zero_grad(set_to_none=True)
            loss.backward()
            self.optimisers[0].step()
            for name, value in terms.items():
                totals[name] = totals.get(name, 0.0) + float(value.detach())
            count += 1
        return {name: value / max(count, 1) for name, value in totals.items()}

    @torch.no_grad()
    def validate(self) -> float:
        """Mean log-likelihood of the labels of the held-out users."""
        rows = self.held if len(self.held) else self.learnt.to(self.x.device)
        self.networks.eval()
        _, logits = self.networks["network"](self.x[rows])
        return -float(self._label_loss(logits, self.labels[rows]))

    def _label_loss(self, logits: Tensor, labels: Tensor) -> Tensor:
        if "confusion" in self.networks:
            return crowd_loss(logits, self.networks["confusion"].log_matrices(), labels)
        personas = labels.shape[1]
        return attribute_loss(logits.repeat_interleave(personas, 0), labels.reshape(-1))


def learn_sensitive(
    x: Tensor,
    evidence: Evidence,
    options: SensitiveTraining,
    *,
    seed: int,
    device: torch.device | None = None,
    checkpoint: Path | None = None,
    key: str = "",
    watch: Watch | None = None,
) -> Sensitive:
    """Train stage 1 on `(n, d)` frozen embeddings, until the votes on held-out users are predicted no better."""
    device = device or torch.device("cpu")
    stage = SensitiveStage(x, evidence, options, device, seed)
    history = train(
        stage,
        epochs=options.epochs,
        every=options.every,
        patience=options.patience,
        checkpoint=checkpoint,
        key=key,
        watch=watch,
    )
    network = stage.networks["network"]
    assert isinstance(network, SensitiveEncoder)
    s, classified = encode(network, stage.x)
    confusion = None
    if "confusion" in stage.networks:
        confusion = stage.networks["confusion"].matrices().detach().cpu().numpy().astype(np.float64)
    return Sensitive(s.cpu(), classified.cpu().numpy().astype(np.float64), confusion, history)


def _standardised(x: Tensor) -> Tensor:
    return (x - x.mean(0)) / x.std(0).clamp_min(1e-6)
