"""The page: what one browser sees of its session, and what its buttons do.

Mesa's SolaraViz would not do: it steps a model in the thread that hears the browser, so that a person's answer could
never arrive; it makes a new model by class alone, while a reset here may be another scenario; and from Mesa 3.5 on it
takes a model's `scenario` for one of its own. Here a drive of its own steps the world, and a painter draws the page.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import solara
import solara.lab

from simulator.dashboard.choices import Choices, Offer, offer, scenarios
from simulator.dashboard.failure import plain_error
from simulator.dashboard.painter import Look, paint
from simulator.dashboard.panel import ChoicesPanel, Panel
from simulator.dashboard.pictures import SCENE, VIEWS
from simulator.dashboard.question import Ask
from simulator.dashboard.session import Session
from simulator.dashboard.sheet import SHEET
from simulator.dashboard.shot import Shot
from simulator.registry import names
from simulator.report.markup import Markup, el

first = Choices("tourism")
"""What every browser begins with; `serve` sets it before the first one comes."""

SPEEDS = {0.0: "no pause", 0.5: "pause 0.5 s", 1.0: "pause 1 s", 2.0: "pause 2 s", 5.0: "pause 5 s"}
"""Seconds between two rounds in play."""


@solara.component
def Layout(children: list[Any]) -> Any:
    """The page as it is, without Solara's own bars."""
    return solara.Div(children=children)


@solara.component
def Page() -> None:
    """One browser's page, with a session of its own."""
    session = solara.use_memo(lambda: Session(first), [])
    look = solara.use_memo(Look, [])
    frame, set_frame = solara.use_state(None)
    shown, set_shown = solara.use_state((look.view, look.array))
    error, say = solara.use_state("")
    pause, set_pause = solara.use_state(0.0)

    def watch() -> Callable[[], None]:
        if solara.lab.theme.dark is None:
            solara.lab.theme.dark = False  # what the page begins with, for the toggle to show
        threading.Thread(target=paint, args=(session, look, set_frame), name="fairagents-painter", daemon=True).start()
        return close

    def close() -> None:
        session.close()

    solara.use_effect(watch, [])
    solara.Title("Fair Agents")
    solara.Style(SHEET)
    if frame is None:
        solara.HTML(unsafe_innerHTML=str(el("p", "The world is being made.", class_="fa-empty")))
        return

    def turn_to(view: str, array: str | None) -> None:
        look.view, look.array = view, array
        set_shown((view, array))
        session.tell()

    def slow(seconds: float) -> None:
        set_pause(seconds)
        session.drive.set_pause(seconds)

    def reset(choices: Choices) -> None:
        _try(say, lambda: session.reset(choices, pause=pause))

    def mediate_by(spec: str) -> None:
        _try(say, lambda: session.drive.mediate_by(spec))

    def offered(choices: Choices) -> Offer | None:
        found: Offer | None = _try(say, lambda: offer(choices))
        return found

    with solara.Div(classes=["fa"]):
        Head(session, frame.shot, pause, slow)
        with solara.Div(classes=["fa-side"]):
            Side(frame.shot.offer, reset, mediate_by, offered)
        with solara.Div(classes=["fa-main"]):
            for line in filter(None, (error, frame.shot.error)):
                solara.HTML(unsafe_innerHTML=str(el("p", line, class_="fa-error", role="alert")))
            solara.HTML(unsafe_innerHTML=str(frame.facts))
            Tabs(frame.shot, shown, turn_to)
            solara.HTML(unsafe_innerHTML=str(frame.figure), classes=["fa-figure"])
        with solara.Div(classes=["fa-talk"]):
            for question in frame.shot.questions:
                Ask(frame.drive, question, say)
            solara.HTML(unsafe_innerHTML=str(frame.said), classes=["fa-said"])


@solara.component
def Head(session: Session, shot: Shot, pause: float, on_pause: Callable[[float], None]) -> None:
    """The title, the round and the buttons that move the world."""
    drive = session.drive
    busy = shot.phase not in ("idle", "stepping")
    done = shot.offer is not None and shot.round >= (shot.offer.shown.rounds or 0)
    with solara.Div(classes=["fa-head"]):
        solara.HTML(unsafe_innerHTML=str(_title(shot)), classes=["fa-name-of-run"])
        solara.HTML(unsafe_innerHTML=str(_round(shot)), classes=["fa-round"])
        solara.Button(
            "Step",
            icon_name="mdi-skip-next",
            outlined=True,
            on_click=drive.step,
            disabled=shot.phase != "idle" or shot.playing,
            classes=["fa-step"],
        )
        if shot.playing:
            solara.Button("Pause", icon_name="mdi-pause", color="primary", on_click=drive.stop, classes=["fa-stop"])
        else:
            solara.Button(
                "Play",
                icon_name="mdi-play",
                color="primary",
                on_click=drive.play,
                disabled=busy or done,
                classes=["fa-play"],
            )
        with solara.Div(classes=["fa-speed"]):
            solara.v.Select(
                label="Speed",
                v_model=pause,
                items=[{"text": text, "value": seconds} for seconds, text in SPEEDS.items()],
                dense=True,
                outlined=True,
                hide_details=True,
                on_v_model=on_pause,
            )
        solara.lab.ThemeToggle(enable_auto=False)


@solara.component
def Side(
    offered: Offer | None,
    on_reset: Callable[[Choices], None],
    on_mediator: Callable[[str], None],
    on_scenario: Callable[[Choices], Offer | None],
) -> None:
    """The choices, with the names that there are to choose from."""
    known = solara.use_memo(
        lambda: {
            "scenarios": scenarios(first.scenario),
            "mediators": names("mediator"),
            "protocols": names("protocol"),
        },
        [],
    )
    standing = offered or Offer(first, first, first.scenario, ())
    ChoicesPanel(Panel(first, standing, known, on_reset, on_mediator, on_scenario))


@solara.component
def Tabs(shot: Shot, shown: tuple[str, str | None], on_view: Callable[[str, str | None], None]) -> None:
    """A tab for every figure, and under the world's one for each of its arrays."""
    arrays = [] if shot.scene is None else list(shot.scene.arrays)
    view, array = shown
    with solara.Div():
        with solara.Div(classes=["fa-tabs"]):
            for name, title in VIEWS.items():
                _tab(title, name == view, f"fa-tab-{name}", partial(on_view, name, array))
        if view == SCENE and len(arrays) > 1:
            with solara.Div(classes=["fa-arrays"]):
                for one in arrays:
                    is_open = one == (array if array in arrays else arrays[0])
                    _tab(one.replace("_", " "), is_open, "fa-array", partial(on_view, SCENE, one))


def _tab(title: str, is_open: bool, class_: str, on_click: Callable[[], None]) -> None:
    classes = ["fa-tab", class_, *(["fa-open"] if is_open else [])]
    solara.Button(title, text=True, on_click=on_click, classes=classes)


def _title(shot: Shot) -> Markup:
    if shot.offer is None:
        return el("h1", "Fair Agents")
    shown = shot.offer.shown
    below = " · ".join([shot.mediator, str(shown.protocol), str(shown.model), f"seed {shown.seed}"])
    return Markup(el("h1", shot.offer.title, dir="auto") + el("p", below))


def _round(shot: Shot) -> Markup:
    words = {"opening": "being made", "stepping": "negotiating …", "failed": "failed", "closed": "closed"}
    state = words.get(shot.phase, "")
    rounds = None if shot.offer is None else shot.offer.shown.rounds
    of = "" if rounds is None else f" of {rounds}"
    still = "ready" if not shot.round else "done" if rounds is not None and shot.round >= rounds else "paused"
    return Markup(
        el("span", "Round ", el("strong", str(shot.round)), of, data_round=str(shot.round))
        + el("div", state or ("playing" if shot.playing else still), class_="fa-phase")
    )


def _try(say: Callable[[str], None], act: Callable[[], Any]) -> Any:
    """Act, and say in one line what went wrong; None then."""
    try:
        done = act()
    except Exception as error:
        say(plain_error(error))
        return None
    say("")
    return done
