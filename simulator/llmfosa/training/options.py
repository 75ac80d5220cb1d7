"""How the recommender and both stages are trained; the presets of data sets override what they need to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Pretraining:
    """BPR of the collaborative encoder.

    Attributes:
        encoder: Free factors or a graph.
        dim: d, the width of the embeddings.
        layers: Layers of the graph.
        learning_rate: Of Adam.
        batch: Triplets of user, chosen and other item a step.
        graph_batch: The same with the graph, where every step is a pass over all of it.
        l2: Weight of half the squared norms of the three embeddings of a triplet.
        epochs: At most so many.
        every: Epochs between two looks at the validation part.
        patience: Looks without a better one before it stops.
    """

    encoder: Literal["mf", "lightgcn"] = "mf"
    dim: int = 64
    layers: int = 3
    learning_rate: float = 2e-3
    batch: int = 8192
    graph_batch: int = 32768
    l2: float = 1e-2
    epochs: int = 80
    every: int = 5
    patience: int = 3


@dataclass(frozen=True)
class SensitiveTraining:
    """Stage 1: L_sen + similarity L_sim + rationale L_fine + trace mean tr(F).

    Attributes:
        width: Width of s.
        hidden: Width of the encoder's hidden layer.
        dropout: Share of hidden units dropped.
        learning_rate: Of Adam, for the encoder and the classifier.
        confusion_rate: Of Adam, for the confusion matrices.
        weight_decay: Of the encoder and the classifier.
        similarity: Weight of L_sim; small, for a strong one over unlike personas hurts the matrices.
        neighbours: K, the personas each one is compared with.
        rationale: Weight of L_fine; small, for rationales full of taste make s swallow it.
        trace: Weight of the trace penalty.
        temperature: tau of L_fine.
        batch: Users a step.
        epochs: At most so many.
        every: Epochs between two looks at the votes on held-out users.
        patience: Looks without a better one before it stops.
        held_out: Share of users whose votes only tell when to stop.
    """

    width: int = 16
    hidden: int = 64
    dropout: float = 0.2
    learning_rate: float = 2e-3
    confusion_rate: float = 1e-2
    weight_decay: float = 1e-3
    similarity: float = 0.01
    neighbours: int = 2
    rationale: float = 0.02
    trace: float = 0.0
    temperature: float = 0.2
    batch: int = 512
    epochs: int = 40
    every: int = 1
    patience: int = 8
    held_out: float = 0.1


@dataclass(frozen=True)
class FairTraining:
    """Stage 2: BPR + l2 + fairness I(S;P) + conditional I(P;R|S).

    Attributes:
        fairness: gamma, the weight of what parts preferences from the attribute: the CLUB bound, or an adversary.
        against: What stands in the place of I(S;P).
        sensitive: S of that bound: the representation s_u, the posterior of the attribute, or both side by side.
        conditional: Weight of what keeps I(P;R|S) up.
        reading: "contrast" is FairMI's InfoNCE within groups (b), "ranking" BPR on a score that sees S too (a).
        alpha: Share of s in reading b.
        temperature: tau of reading b.
        learning_rate: Of Adam, for users and items.
        inner_rate: Of Adam, for the networks of the bound or the adversary.
        inner: Steps of these a step of the embeddings.
        warm_up: Steps of these before the first.
        hidden: Width of their hidden layers.
        users: Users that the bounds look at a step.
        batch: Triplets a step.
        l2: As in `Pretraining`.
        epochs: At most so many.
        settle: Epochs before early stopping looks: the most accurate state is the one before any debiasing.
        every: Epochs between two looks.
        patience: Looks without a better one before it stops.
        smallest: With DRO, the smallest share of users that a group may have.
    """

    fairness: float = 0.1
    against: Literal["club", "adversary", "dro", "nothing"] = "club"
    sensitive: Literal["posterior", "representation", "both"] = "posterior"
    conditional: float = 0.002
    reading: Literal["contrast", "ranking"] = "contrast"
    alpha: float = 0.1
    temperature: float = 0.5
    learning_rate: float = 2e-3
    inner_rate: float = 1e-3
    inner: int = 3
    warm_up: int = 300
    hidden: int = 128
    users: int = 1024
    batch: int = 8192
    l2: float = 1e-2
    epochs: int = 7
    settle: int = 4
    every: int = 1
    patience: int = 1
    smallest: float = 0.2
