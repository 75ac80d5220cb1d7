"""The figures of the page as SVG: those of every run, in which each change of the mediator is marked, and the world."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator.plots import KINDS, draw
from simulator.report.drawings import svg_of
from simulator.report.markup import Markup

if TYPE_CHECKING:
    from simulator.dashboard.scene import Scene
    from simulator.runs import Run

SCENE = "scene"
VIEWS = {
    "utilities": "Utilities",
    "fairness": "Fairness",
    "satisfaction": "Satisfaction",
    "rank_paths": "Rank paths",
    "agreement": "Agreement",
    SCENE: "World",
    "turns": "Turns",
    "cost": "Cost",
}


def picture(view: str, run: Run) -> Markup:
    """A figure of the rounds so far as an SVG element."""
    return svg_of(draw(view, run), view, KINDS[view].question)


def scene_picture(scene: Scene, array: str | None) -> Markup:
    """The world as an SVG element."""
    from simulator.dashboard.scene_figure import scene_figure

    return svg_of(scene_figure(scene, array), SCENE, "Where are the items, and what have the rounds made of them?")
