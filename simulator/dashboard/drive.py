"""One world in a thread of its own: made, stepped, played and closed there, watched from elsewhere."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Sequence
from itertools import count
from typing import TYPE_CHECKING

from simulator.dashboard.failure import plain_error
from simulator.dashboard.scene import Scene, scene_of
from simulator.dashboard.shot import Change, Phase, Shot
from simulator.records import Event, RoundRecord
from simulator.runs import MemoryRecorder, Run

if TYPE_CHECKING:
    from agents.browser import Question
    from simulator.dashboard.choices import Choices, Offer
    from simulator.mediators.base import Mediator
    from simulator.scenario import Scenario
    from simulator.world import NegotiationWorld

SEEN_SECONDS = 5.0
"""So long a round in play waits for a page that has not shown the one before."""

_numbers = count(1)


class Drive:
    """Makes a world by choices and steps it when told to.

    Every method returns at once; what it asks for happens in the drive's own thread, between two rounds. A closed drive
    lets the round that it is in end by itself, without its people, and closes its world then.

    Args:
        choices: what the world is.
        scenario: the same, if it is loaded already.
        pause: seconds between two rounds in play.
        tell: is called after every change, from any thread; must not wait.

    Attributes:
        number: its own among all drives.
        choices: as given.
        people: whom the world's people answer through.
    """

    def __init__(
        self,
        choices: Choices,
        *,
        scenario: Scenario | None = None,
        pause: float = 0.0,
        tell: Callable[[], None] = lambda: None,
    ) -> None:
        from agents.browser import BrowserChannel

        self.number = next(_numbers)
        self.choices = choices
        self._scenario = scenario
        self.people = BrowserChannel(tell)
        self._tell = tell
        self._turn = threading.Condition()
        self._phase: Phase = "opening"
        self._pause = pause
        self._wanted = 0
        self._playing = False
        self._closing = False
        self._seen = 0
        self._finished = 0.0
        self._ended = -math.inf
        self._error = ""
        self._unscheduled = False
        self._offer: Offer | None = None
        self._scene: Scene | None = None
        self._next: Mediator | None = None
        self._mediator = ""
        self._changes: tuple[Change, ...] = ()
        self._world: NegotiationWorld | None = None
        self._memory = MemoryRecorder()
        self._thread = threading.Thread(target=self._live, name="fairagents-drive", daemon=True)
        self._thread.start()

    def step(self) -> None:
        """Negotiate one round, if none is under way."""
        with self._turn:
            if self._phase == "idle" and not self._wanted:
                self._wanted = 1
            self._turn.notify_all()

    def play(self) -> None:
        """Negotiate round after round up to the scenario's last one."""
        self._set_playing(True)

    def stop(self) -> None:
        """Stop playing after the round that is under way."""
        self._set_playing(False)

    def set_pause(self, seconds: float) -> None:
        """Wait so long between two rounds in play."""
        with self._turn:
            self._pause = seconds
            self._turn.notify_all()

    def mediate_by(self, spec: str) -> None:
        """Let another mediator decide from the next round on; it begins without a memory.

        Raises:
            InputError: there is no such mediator, or not with these parameters.
        """
        world = self._world
        if world is None or spec == self._mediator:
            return
        own = world.scenario.mediator
        mediator = own if spec == own.label else world.scenario.replace(mediator=spec).mediator
        with self._turn:
            self._next, self._mediator = mediator, mediator.label
        self._tell()

    def saw(self, number: int) -> None:
        """Say that a round has been looked at: in play, the next one waits for this."""
        with self._turn:
            self._seen = max(self._seen, number)
            self._turn.notify_all()

    def close(self) -> None:
        """Stop, and close the world when its round has ended."""
        with self._turn:
            self._closing, self._playing = True, False
            self._turn.notify_all()
        self.people.close()
        self._tell()

    def join(self, seconds: float) -> bool:
        """Wait until it has closed its world; whether it has."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def shot(self) -> Shot:
        """What can be seen now."""
        world = self._world
        with self._turn:
            return Shot(
                self._phase,
                self._playing,
                len(self._memory.records),
                self._finished,
                self._error,
                self._offer,
                self._mediator,
                self._changes,
                self._scene,
                self.people.questions,
                () if world is None else tuple(world.warnings),
            )

    @property
    def records(self) -> Sequence[RoundRecord]:
        """The finished rounds."""
        return self._memory.records

    def run(self) -> Run:
        """The rounds so far as a run."""
        world = self._world
        if world is None:
            return self._memory.run({})
        manifest = {"title": world.scenario.file.title, "seed": world.root_seed, "model": ", ".join(world.model_names)}
        return self._memory.run(manifest)

    def conversation(self) -> tuple[int, list[Event]]:
        """The last round of which anything is known, finished or not, and its events; round 0 before the first."""
        events = list(self._memory.events)
        if not events:
            return 0, []
        number = events[-1]["round"]
        start = len(events)
        while start and events[start - 1]["round"] == number:
            start -= 1
        return number, events[start:]

    def values(self, question: Question) -> tuple[str, ...]:
        """The attributes that the objective of the person who is asked names; all of them if it names none."""
        table = question.table
        world = self._world
        members = () if world is None else world.stakeholders
        named = next((tuple(member.objective(table.request)) for member in members if member.name == question.name), ())
        return named or tuple(table.candidates.attribute_index)

    def event(self, event: Event) -> None:
        """Keep an event of the world's, and tell."""
        self._memory.event(event)
        self._tell()

    def round(self, record: RoundRecord) -> None:
        """Keep a finished round of the world's; it is told of when the step has ended."""
        self._memory.round(record)

    def _set_playing(self, playing: bool) -> None:
        with self._turn:
            self._playing = playing and not self._closing and self._phase in ("opening", "idle", "stepping")
            self._turn.notify_all()
        self._tell()

    def _live(self) -> None:
        try:
            world = self._make(self._scenario or self.choices.load())
        except Exception as error:
            with self._turn:
                self._phase, self._playing, self._error = "failed", False, plain_error(error)
            self._tell()
            return
        try:
            while self._wait(world):
                self._negotiate(world)
        finally:
            with self._turn:
                self._phase = "closed"
            world.close()
            self._tell()

    def _make(self, scenario: Scenario) -> NegotiationWorld:
        from simulator.dashboard.choices import offer_of
        from simulator.world import NegotiationWorld

        world = NegotiationWorld(scenario, recorder=self)
        for stakeholder in world.stakeholders:
            if stakeholder.asks_person and hasattr(stakeholder, "ask_through"):
                stakeholder.ask_through(self.people)
        with self._turn:
            self._offer, self._mediator = offer_of(self.choices, scenario), world.mediator.label
            self._scene = scene_of(world)
            self._world, self._phase = world, "idle"
        self._tell()
        return world

    def _wait(self, world: NegotiationWorld) -> bool:
        """Wait until a round is wanted; whether one is, and not the end."""
        with self._turn:
            while not self._closing:
                if self._wanted:
                    self._wanted -= 1
                    break
                if self._playing and world.round >= world.scenario.file.rounds:
                    self._playing = False
                    self._tell()
                if self._playing:
                    waited = time.monotonic() - self._ended
                    unseen = self._seen < len(self._memory.records)
                    left = max(self._pause - waited, SEEN_SECONDS - waited if unseen else 0.0)
                    if left <= 0:
                        break
                    self._turn.wait(left)
                else:
                    self._turn.wait()
            if self._closing:
                return False
            self._phase = "stepping"
            if self._next is not None:
                if world.round:
                    self._changes = (*self._changes, Change(world.round + 1, self._mediator))
                world.mediator, self._next = self._next, None
                world.memory = None
        self._tell()
        return True

    def _negotiate(self, world: NegotiationWorld) -> None:
        error = ""
        try:
            if self._unscheduled:
                type(world).step(world)
            else:
                world.step()
        except Exception as failure:
            self._unscheduled = True  # Mesa 3.5 schedules no other step after one that failed; the class's own goes on
            logging.getLogger(__name__).warning("a round failed", exc_info=failure)
            error = f"round {world.round} failed: {plain_error(failure)}"
        with self._turn:
            self._error = error
            self._playing = self._playing and not error
            self._finished, self._ended = time.time(), time.monotonic()
            self._scene = scene_of(world)
            self._phase = "idle"
        self._tell()
