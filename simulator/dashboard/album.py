"""Keeps the drawn figures, so that none is drawn twice: a look at another one and back costs nothing."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from simulator.dashboard.pictures import SCENE, picture, scene_picture
from simulator.report.markup import Markup, el

if TYPE_CHECKING:
    from simulator.dashboard.drive import Drive
    from simulator.dashboard.shot import Shot

MOST_KEPT = 24


class Album:
    """The figures of one browser's worlds."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[object, ...], Markup] = OrderedDict()

    def figure(self, view: str, array: str | None, drive: Drive, shot: Shot) -> Markup:
        """A figure as it is at the moment of a shot, with its round and when that was finished as data attributes."""
        key = (drive.number, view, array if view == SCENE else None, shot.round)
        if key not in self._kept:
            self._kept[key] = self._drawn(view, array, drive, shot)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return self._kept[key]

    def _drawn(self, view: str, array: str | None, drive: Drive, shot: Shot) -> Markup:
        if view == SCENE and shot.scene is not None:
            known = array if array in shot.scene.arrays else next(iter(shot.scene.arrays), None)
            drawn: Markup = scene_picture(shot.scene, known)
        elif shot.round:
            drawn = picture(view, drive.run())
        else:
            drawn = el("p", "Nothing has been negotiated yet. Step or play.", class_="fa-empty")
        finished = f"{1000 * shot.finished:.0f}"
        return el("figure", drawn, data_view=view, data_round=str(shot.round), data_finished=finished)
