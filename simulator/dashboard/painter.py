"""Draws what a browser looks at, in a thread of its own, whenever something has changed."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from simulator.dashboard.album import Album
from simulator.dashboard.choices import Offer
from simulator.dashboard.drive import Drive
from simulator.dashboard.facts import facts
from simulator.dashboard.failure import plain_error
from simulator.dashboard.session import Session
from simulator.dashboard.shot import Shot
from simulator.report.conversation import conversation
from simulator.report.markup import Markup, el

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Frame:
    """What the page shows at one moment.

    Attributes:
        drive, shot: the world.
        facts, said: the last round in numbers and in words, as HTML.
        figure: the figure that is looked at, as HTML.
    """

    drive: Drive
    shot: Shot
    facts: Markup
    said: Markup
    figure: Markup


class Look:
    """Which figure is looked at; the page sets it, the painter reads it."""

    view = "utilities"
    array: str | None = None


def paint(session: Session, look: Look, show: Callable[[Frame], None]) -> None:
    """Show every change of a session until it is closed; while a world is being made, the choices of the one before."""
    album = Album()
    last: Offer | None = None
    version: int | None = None
    while (version := session.wait(version)) is not None:
        drive = session.drive
        shot = drive.shot()
        last = shot.offer or last
        try:
            records = drive.records
            plain = facts(records[shot.round - 1] if shot.round else None)
            said = _said(drive)
            figure = album.figure(look.view, look.array, drive, shot)
        except Exception as error:
            _logger.warning("the page could not be drawn", exc_info=error)
            plain, said = Markup(""), Markup("")
            figure = el("p", f"This could not be drawn: {plain_error(error)}", class_="fa-error")
        show(Frame(drive, replace(shot, offer=last), plain, said, figure))
        drive.saw(shot.round)


def _said(drive: Drive) -> Markup:
    number, events = drive.conversation()
    if not events:
        return el("p", "What is said in a round appears here.", class_="fa-empty")
    return Markup(el("h2", f"Round {number}") + conversation(events))
