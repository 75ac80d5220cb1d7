"""A world in a thread of its own: what it does when it is told to, and what can be seen of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from simulator.dashboard.choices import Choices, offer
from simulator.dashboard.drive import Drive
from simulator.dashboard.shot import Change, Shot
from simulator.inputs.yamlfile import InputError

LETTERS = Choices("tests/worlds/letters", settings=("metrics=[utility]",))


@contextmanager
def driven(choices: Choices = LETTERS) -> Iterator[tuple[Drive, Callable[[Callable[[Shot], bool]], Shot]]]:
    """A drive whose every round is seen at once, and a function that waits until a shot of it fits."""
    changed = threading.Condition()

    def tell() -> None:
        with changed:
            changed.notify_all()

    drive = Drive(choices, tell=tell)

    def until(fits: Callable[[Shot], bool]) -> Shot:
        with changed:
            assert changed.wait_for(lambda: fits(drive.shot()), 20), drive.shot()
        return drive.shot()

    try:
        yield drive, until
    finally:
        drive.close()
        assert drive.join(20)


def idle(number: int) -> Callable[[Shot], bool]:
    return lambda shot: shot.phase == "idle" and shot.round == number


def test_a_step_is_one_round() -> None:
    with driven() as (drive, until):
        until(idle(0))
        drive.step()
        shot = until(idle(1))
        assert not shot.playing
        assert shot.error == ""
        assert drive.conversation()[1][0]["event"] == "request"
        assert drive.run().rounds["round"].tolist() == [1]


def test_play_stops_after_the_last_round_and_step_goes_on() -> None:
    with driven() as (drive, until):
        until(idle(0))
        drive.saw(3)
        drive.play()
        until(lambda shot: idle(3)(shot) and not shot.playing)
        drive.step()
        until(idle(4))


def test_play_waits_until_the_round_before_was_seen() -> None:
    with driven() as (drive, until):
        until(idle(0))
        drive.play()
        until(idle(1))
        threading.Event().wait(0.15)
        assert drive.shot().round == 1
        drive.saw(1)
        until(idle(2))
        drive.stop()
        drive.saw(2)
        threading.Event().wait(0.15)
        assert drive.shot().round == 2


def test_play_pauses_between_rounds_as_long_as_it_is_told() -> None:
    with driven() as (drive, until):
        until(idle(0))
        drive.set_pause(30)
        drive.saw(3)
        drive.play()
        until(idle(1))
        threading.Event().wait(0.15)
        assert drive.shot().round == 1
        drive.set_pause(0)
        until(idle(3))


def test_another_mediator_decides_from_the_next_round_on_and_is_marked() -> None:
    with driven() as (drive, until):
        until(idle(0))
        drive.step()
        until(idle(1))
        drive.mediate_by("leximin")
        assert drive.shot().changes == ()
        drive.step()
        shot = until(idle(2))
        assert shot.changes == (Change(2, "leximin"),)
        assert drive.run().rounds["mediator"].tolist() == ["borda", "leximin"]
        with pytest.raises(InputError, match="there is no mediator 'lexmin'"):
            drive.mediate_by("lexmin")
        drive.mediate_by("borda")
        drive.step()
        assert until(idle(3)).changes[1:] == (Change(3, "borda"),)


def test_a_world_that_cannot_be_made_says_why_in_one_line() -> None:
    with driven(Choices("nowhere")) as (_, until):
        shot = until(lambda shot: shot.phase == "failed")
        assert shot.error.startswith("nowhere: is no scenario file")
        assert "\n" not in shot.error


FAILING = """
from dataclasses import dataclass
from simulator.dynamics.base import Dynamic

@dataclass(frozen=True)
class Sometimes(Dynamic):
    \"\"\"Fails in its first round.\"\"\"

    def start(self, catalogue, state):
        self.__dict__["left"] = [1]
        return state

    def evolve(self, state, delivered):
        if self.__dict__["left"]:
            self.__dict__["left"].pop()
            raise RuntimeError("the bridge\\nis out")
        return state
"""


def test_a_round_that_fails_says_why_in_one_line_and_the_next_can_be_tried(tmp_path: Path) -> None:
    path = tmp_path / "failing.py"
    path.write_text(FAILING)
    settings = (*LETTERS.settings, f"dynamics=[crowding, '{path}:Sometimes']")
    with driven(Choices(LETTERS.scenario, settings=settings)) as (drive, until):
        until(idle(0))
        drive.play()
        shot = until(lambda shot: bool(shot.error))
        assert shot.error == "round 1 failed: RuntimeError: the bridge is out"
        assert not shot.playing
        drive.step()
        shot = until(lambda shot: shot.round == 1 and shot.phase == "idle")
        assert shot.error == ""


def test_people_are_asked_through_the_page() -> None:
    settings = (*LETTERS.settings, "stakeholders.saver.agent=human")
    with driven(Choices(LETTERS.scenario, settings=settings)) as (drive, until):
        until(idle(0))
        drive.step()
        question = until(lambda shot: bool(shot.questions)).questions[0]
        assert question.name == "saver"
        assert drive.values(question) == ("price", "stars")
        backwards = question.items[::-1]
        drive.people.rank(question.number, [[item] for item in backwards], "the other way round")
        verdict = until(lambda shot: bool(shot.questions) and shot.questions[0].suggestion is None).questions[0]
        said = [event for event in drive.conversation()[1] if event.get("stakeholder") == "saver"]
        assert said == []  # of a turn that is not over nothing is told
        drive.people.accept(verdict.number, True)
        until(lambda shot: shot.round == 1 or bool(shot.questions))
        said = [event for event in drive.conversation()[1] if event.get("stakeholder") == "saver"]
        assert said[0]["ranking"] == tuple((item,) for item in backwards)
        assert said[0]["argument"] == "the other way round"


def test_closing_while_a_person_is_asked_ends_the_round() -> None:
    settings = (*LETTERS.settings, "stakeholders.saver.agent=human")
    with driven(Choices(LETTERS.scenario, settings=settings)) as (drive, until):
        until(idle(0))
        drive.step()
        until(lambda shot: bool(shot.questions))
    assert drive.shot().phase == "closed"
    assert drive.shot().questions == ()


def test_choices_are_in_force_and_what_is_not_changed_stays_as_the_file_has_it() -> None:
    made = Choices(LETTERS.scenario, mediator="copeland", weights=(3.0, 1.0))
    found = offer(made)
    assert found.names == ("saver", "gourmet")
    assert found.shown.mediator == "copeland"
    assert found.shown.weights == (3.0, 1.0)
    assert (found.shown.seed, found.shown.rounds, found.shown.model) == (3, 3, "none")
    changed = found.changed(mediator="copeland", seed=3, rounds=9, weights=(3.0, 2.0))
    assert changed == Choices(LETTERS.scenario, mediator="copeland", rounds=9, weights=(3.0, 2.0))
    assert [party.weight for party in changed.load().parties] == [3.0, 2.0]
