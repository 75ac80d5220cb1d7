"""What can be seen of a world at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from agents.browser import Question
    from simulator.dashboard.choices import Offer
    from simulator.dashboard.scene import Scene

Phase = Literal["opening", "idle", "stepping", "failed", "closed"]


@dataclass(frozen=True, slots=True)
class Change:
    """From which round on another mediator decides."""

    round: int
    mediator: str


@dataclass(frozen=True, slots=True)
class Shot:
    """What can be seen of a world at one moment.

    Attributes:
        phase: `failed` if it could not be made; a round that fails is an `error` of an `idle` world.
        playing: whether one round follows another.
        round: the last finished one, 0 before the first.
        finished: when it was finished, in seconds since 1970.
        error: one line, "" if nothing is wrong.
        offer: the choices in force, None while it is being made.
        mediator: which decides from the next round on.
        changes: of the mediator, in order.
        scene: the items' state after the last round; None before the world is made.
        questions: to people, oldest first.
        warnings: what is worth knowing about the scenario and the run.
    """

    phase: Phase
    playing: bool = False
    round: int = 0
    finished: float = 0.0
    error: str = ""
    offer: Offer | None = None
    mediator: str = ""
    changes: tuple[Change, ...] = ()
    scene: Scene | None = None
    questions: tuple[Question, ...] = ()
    warnings: tuple[str, ...] = ()
