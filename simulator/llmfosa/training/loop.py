"""The loop that every stage goes through: epochs, early stopping, progress, checkpoints and resuming."""

from __future__ import annotations

import copy
import math
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from simulator.llmfosa.personas.files import open_private

Watch = Callable[[str, int, int, Mapping[str, float]], None]  # stage, epoch, epochs, terms


@dataclass
class History:
    """What a stage went through.

    Attributes:
        terms: One mapping an epoch: every term of the loss by its name, and "validation" where it was looked at.
        best: The epoch that was kept; 0 is the start.
        seconds: CPU seconds of this process, those before an interruption included.
    """

    terms: list[dict[str, float]] = field(default_factory=list)
    best: int = 0
    seconds: float = 0.0


class Stage(ABC):
    """One training: networks, optimisers and a generator that all its draws come from.

    Attributes:
        name: Of its checkpoint and in the progress.
        networks: Everything that is learnt.
        optimisers: Of these networks.
        generator: On the CPU.
    """

    name: str
    networks: nn.ModuleDict
    optimisers: list[torch.optim.Optimizer]
    generator: torch.Generator

    def begin(self) -> None:  # noqa: B027  # most stages have nothing to do
        """What comes before the first epoch; a training that is gone on with has it behind itself."""

    @abstractmethod
    def epoch(self) -> dict[str, float]:
        """Train for one epoch; the mean of every term of the loss."""

    @abstractmethod
    def validate(self) -> float:
        """How good it is now on what was held out; more is better."""


def train(
    stage: Stage,
    *,
    epochs: int,
    every: int = 1,
    patience: int = 1,
    settle: int = 0,
    checkpoint: Path | None = None,
    key: str = "",
    watch: Watch | None = None,
) -> History:
    """Train a stage until it stops getting better, and leave it as it was at its best.

    Args:
        stage: What is trained.
        epochs: At most so many.
        every: Epochs between two looks at the validation.
        patience: Looks without a better one before it stops.
        settle: Epochs before the first look; the last epoch is looked at in any case.
        checkpoint: File that holds the training after every look; where it is there, training goes on from it and ends
            as if it had never stopped.
        key: What the checkpoint belongs to (options, data, seed); another one's is not gone on with.
        watch: Called after every epoch.

    Raises:
        FloatingPointError: The loss is no number any more.
    """
    history, best, best_state, first = History(), -float("inf"), _state(stage), 1
    done = False
    saved = _read(checkpoint, key) if checkpoint else None
    if saved is not None:
        _restore(stage, saved["stage"])
        history = History(saved["terms"], saved["best_epoch"], saved["seconds"])
        best, best_state, first, done = saved["best"], saved["best_state"], saved["epoch"] + 1, saved["done"]
    else:
        stage.begin()
    started, before = time.process_time(), history.seconds
    for epoch in range(first, epochs + 1):
        if done:
            break
        terms = stage.epoch()
        if not all(math.isfinite(value) for value in terms.values()):
            raise FloatingPointError(
                f"{stage.name}: the loss is no number after epoch {epoch}; lower the learning rate"
            )
        look = epoch == epochs or (epoch > settle and (epoch - settle) % every == 0)
        if look:
            terms["validation"] = stage.validate()
            if terms["validation"] > best:
                best, history.best, best_state = terms["validation"], epoch, _state(stage)
            done = epoch - history.best >= patience * every
        history.terms.append(terms)
        history.seconds = before + time.process_time() - started
        if checkpoint and look:
            _write(checkpoint, key, stage, history, best, best_state, epoch, done or epoch == epochs)
        if watch:
            watch(stage.name, epoch, epochs, terms)
    stage.networks.load_state_dict(best_state)
    return history


def _state(stage: Stage) -> dict[str, Tensor]:
    return copy.deepcopy(stage.networks.state_dict())


def _restore(stage: Stage, state: Mapping[str, Any]) -> None:
    stage.networks.load_state_dict(state["networks"])
    for optimiser, saved in zip(stage.optimisers, state["optimisers"], strict=True):
        optimiser.load_state_dict(saved)
    stage.generator.set_state(state["generator"])
    torch.set_rng_state(state["torch"])


def _write(
    path: Path,
    key: str,
    stage: Stage,
    history: History,
    best: float,
    best_state: Mapping[str, Tensor],
    epoch: int,
    done: bool,
) -> None:
    """Write beside and move into place, so that a kill leaves the last checkpoint whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    saved = {
        "key": key,
        "epoch": epoch,
        "done": done,
        "best": best,
        "best_epoch": history.best,
        "best_state": dict(best_state),
        "terms": history.terms,
        "seconds": history.seconds,
        "stage": {
            "networks": stage.networks.state_dict(),
            "optimisers": [optimiser.state_dict() for optimiser in stage.optimisers],
            "generator": stage.generator.get_state(),
            "torch": torch.get_rng_state(),
        },
    }
    with open_private(beside) as file:  # the stages' networks know what was inferred of people
        torch.save(saved, file)
    os.replace(beside, path)


def _read(path: Path, key: str) -> dict[str, Any] | None:
    """The checkpoint, or None where there is none of this training. It is read as data: no code in it can run."""
    if not path.exists():
        return None
    try:
        saved: dict[str, Any] = torch.load(path, weights_only=True, map_location="cpu")
        return saved if saved["key"] == key else None
    except Exception:  # whatever is wrong with the file, training can start again
        return None
