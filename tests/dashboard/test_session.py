"""What one browser looks at, from its first world to its last."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from simulator.dashboard.session import Session
from simulator.inputs.yamlfile import InputError
from tests.dashboard.test_drive import LETTERS


@pytest.fixture
def session() -> Iterator[Session]:
    opened = Session(LETTERS)
    ready(opened)
    yield opened
    opened.close()
    assert opened.drive.join(20)


def ready(session: Session) -> None:
    version = None
    while session.drive.shot().phase == "opening":
        version = session.wait(version)
        assert version is not None


def test_a_reset_makes_another_world_and_closes_the_one_before(session: Session) -> None:
    before = session.drive
    before.step()
    session.reset(replace(LETTERS, mediator="leximin", seed=9))
    ready(session)
    assert before.join(20)
    assert before.shot().phase == "closed"
    shot = session.drive.shot()
    assert (shot.round, shot.mediator) == (0, "leximin")
    assert shot.offer is not None
    assert shot.offer.shown.seed == 9


def test_a_wrong_choice_leaves_the_world_in_force(session: Session) -> None:
    before = session.drive
    with pytest.raises(InputError, match="there is no protocol 'seeled'"):
        session.reset(replace(LETTERS, protocol="seeled"))
    assert session.drive is before
    assert before.shot().phase == "idle"


def test_who_waits_is_told_of_a_change_and_of_the_end(session: Session) -> None:
    heard: list[int | None] = []

    def listen() -> None:
        version: int | None = session.wait(None)
        while version is not None:
            heard.append(version)
            version = session.wait(version)
        heard.append(None)

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    session.drive.step()
    while session.drive.shot().round < 1:
        threading.Event().wait(0.01)
    session.close()
    listener.join(10)
    assert heard[-1] is None
    assert len(heard) > 1
