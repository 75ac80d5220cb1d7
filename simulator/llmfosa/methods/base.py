"""What a method is: what it may see of the attribute, what it believes of it, and how it trains stage 2."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from simulator.llmfosa.annotations import Annotations
from simulator.llmfosa.interactions import Interactions
from simulator.llmfosa.training.loop import History, Watch
from simulator.llmfosa.training.plan import Plan
from simulator.profile import Bools, Floats, Ints

Uses = Literal["nothing", "true labels", "annotations"]


@dataclass(frozen=True, eq=False)
class Task:
    """One training to be done.

    Attributes:
        data: Interactions; methods read their training and validation part.
        values: A, the number of values of the attribute; 0 where no attribute is looked at.
        x: `(n, d)` users after pretraining.
        y: `(m, d)` items after pretraining.
        plan: Options of the stages.
        seed: Root of all draws.
        labels: `(n,)` true codes, -1 where hidden from the method; None for methods that may not see any.
        annotations: What annotators said; None where nobody was asked.
        device: Where it computes.
        checkpoints: Folder for checkpoints; None keeps none.
        key: What the checkpoints belong to.
        watch: Called after every epoch.
    """

    data: Interactions
    values: int
    x: Tensor
    y: Tensor
    plan: Plan
    seed: int
    labels: Ints | None = None
    annotations: Annotations | None = None
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))
    checkpoints: Path | None = None
    key: str = ""
    watch: Watch | None = None

    def stage(self, name: str) -> dict[str, Any]:
        """The arguments that every stage takes."""
        return {
            "seed": self.seed,
            "device": self.device,
            "checkpoint": self.checkpoints / f"{name}.pt" if self.checkpoints else None,
            "key": self.key,
            "watch": self.watch,
        }


@dataclass(frozen=True, eq=False)
class Belief:
    """What a method believes of the attribute.

    Attributes:
        posterior: `(n, A)`.
        s: `(n, width)` sensitive representations; None where there are none.
        confusion: `(P, A, A)` the annotators' matrices; None where none were estimated.
        history: Of stage 1.
    """

    posterior: Floats
    s: Tensor | None = None
    confusion: Floats | None = None
    history: History | None = None


@dataclass(frozen=True, eq=False)
class Trained:
    """A trained recommender.

    Attributes:
        method: Its name.
        users: `(n, d)` p, float32; a score is p . q.
        items: `(m, d)` q.
        belief: What was believed of the attribute; None where nothing was.
        histories: Of every stage by its name.
        unseen: `(n,)` users whose label was hidden from a method that sees true labels; None for all others.
    """

    method: str
    users: Floats
    items: Floats
    belief: Belief | None = None
    histories: Mapping[str, History] = field(default_factory=dict)
    unseen: Bools | None = None


@dataclass(frozen=True)
class Method:
    """A way to train a recommender.

    Attributes:
        name: As on the command line and in tables.
        summary: One line for people.
        uses: What it may see of the attribute.
        believe: What it makes of it; None for methods that do not care.
        fair: Options of stage 2 that make the method what it is; None leaves the pretrained recommender as it is.
        pretraining: Options of stage 0 that make it what it is.
    """

    name: str
    summary: str
    uses: Uses
    believe: Callable[[Task], Belief] | None = None
    fair: Mapping[str, Any] | None = field(default_factory=dict)
    pretraining: Mapping[str, Any] = field(default_factory=dict)

    @property
    def weighted(self) -> bool:
        """Whether the weight of fairness changes it."""
        return self.fair is not None and self.fair.get("against") not in ("nothing", "dro")

    def plan(self, plan: Plan) -> Plan:
        """The plan with what makes the method what it is."""
        return replace(
            plan,
            pretraining=replace(plan.pretraining, **self.pretraining),
            fair=replace(plan.fair, **(self.fair or {})),
        )

    def train(self, task: Task) -> Trained:
        """Stages 1 and 2 on a pretrained recommender."""
        from simulator.llmfosa.training.fair import learn_fair

        task = replace(task, plan=self.plan(task.plan))
        belief = self.believe(task) if self.believe else None
        histories = {"sensitive": belief.history} if belief and belief.history else {}
        users, items = task.x, task.y
        if self.fair is not None:
            options, off = task.plan.fair, task.plan.off
            options = replace(
                options,
                fairness=0.0 if "independence" in off else options.fairness,
                conditional=0.0 if "conditional" in off else options.conditional,
            )
            posterior = None if belief is None else torch.as_tensor(belief.posterior)
            s = None if belief is None else belief.s
            users, items, history = learn_fair(task.data, task.x, task.y, s, posterior, options, **task.stage("fair"))
            histories["fair"] = history
        unseen = None if self.uses != "true labels" or task.labels is None else task.labels < 0
        return Trained(self.name, _plain(users), _plain(items), belief, histories, unseen)


def _plain(embeddings: Tensor) -> Floats:
    return np.ascontiguousarray(embeddings.numpy())
