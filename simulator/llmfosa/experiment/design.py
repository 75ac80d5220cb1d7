"""What an experiment runs: methods, weights of fairness, ablations and seeds, as one list of cells."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path

from simulator.llmfosa.methods import METHODS, method
from simulator.llmfosa.training.plan import TERMS, Plan

FRONT = ("fairmi", "majority_fairmi", "llmfosa")  # whose weight of fairness is varied; all others take the plan's
ABLATED = "llmfosa"
HIDDEN = 0.2


@dataclass(frozen=True)
class Cell:
    """One training and its evaluation.

    Attributes:
        method: Its name.
        seed: Root of all draws.
        weight: The weight of fairness; None for methods that have none.
        off: Terms that are switched off.
    """

    method: str
    seed: int
    weight: float | None = None
    off: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The row's name in tables, such as `llmfosa -similarity`."""
        return " -".join([self.method, *self.off])

    @property
    def file(self) -> str:
        """A file name without suffix, made of the registered names alone."""
        weight = "" if self.weight is None else f"_{self.weight:g}"
        return f"{'-'.join([self.method, *self.off])}{weight}_{self.seed}"


@dataclass(frozen=True)
class Design:
    """An experiment.

    Attributes:
        preset: The data set by `loaders.PRESETS`.
        data: Folder of the data; None for synthetic data.
        attribute: Whose groups are compared.
        annotations: By name, as in `annotators.annotations_of`.
        methods: Their names.
        seeds: Roots of the draws.
        weights: Weights of fairness of the methods in `FRONT`; of all others only the plan's.
        ablate: Whether LLMFOSA is also trained with each term off.
        plan: Options of the stages.
        hidden: Share of users whose true label is hidden from methods that see true labels.
        device: Where it computes.
        split_seed: Of the split of the data and of simulated annotators, the same for all seeds.
        leave_out: Which of a user's items are never recommended, as in `evaluate`.
    """

    preset: str
    data: Path | None
    attribute: str = "gender"
    annotations: str = "stereotypes"
    methods: tuple[str, ...] = METHODS
    seeds: tuple[int, ...] = (0,)
    weights: tuple[float, ...] = (0.1,)
    ablate: bool = False
    plan: Plan = field(default_factory=Plan)
    hidden: float = HIDDEN
    device: str = "cpu"
    split_seed: int = 0
    leave_out: str = "train+valid"

    def cells(self) -> tuple[Cell, ...]:
        """All trainings, seed by seed."""
        found: list[Cell] = []
        for seed in self.seeds:
            for name in self.methods:
                own = method(name)
                weights: Sequence[float | None] = (None,)
                if own.weighted:
                    weights = self.weights if name in FRONT else (self.plan.fair.fairness,)
                found += [Cell(name, seed, weight, self.plan.off if name == ABLATED else ()) for weight in weights]
            if self.ablate:
                weight = self.plan.fair.fairness
                off = [term for term in TERMS if term not in self.plan.off]
                found += [Cell(ABLATED, seed, weight, (*self.plan.off, term)) for term in off]
        return tuple(dict.fromkeys(found))

    def fingerprint(self) -> str:
        """Of all that decides a cell besides its own fields, so that no other design's result passes for its own."""
        decides = asdict(self)
        for free in ("methods", "seeds", "weights", "ablate", "data"):
            del decides[free]
        del decides["plan"]["off"], decides["plan"]["fair"]["fairness"]
        return sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()[:16]
