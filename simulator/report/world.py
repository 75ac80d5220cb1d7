"""The world before and after: what filled up, how unequally, and where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simulator.plots.world import changing
from simulator.report.drawings import drawings
from simulator.report.figures import LONGEST_NAME, count, number, signed
from simulator.report.markup import Child, Markup, el, foreign, join

if TYPE_CHECKING:
    from simulator.runs import Run
    from simulator.runs.course import Course

MOST_LISTED = 8
PICTURES = ("world", "map")


def world(run: Run, kinds: list[str]) -> Markup | None:
    """The section; nothing for a run whose catalogue is not known.

    Args:
        run: the run.
        kinds: the figures that it has something to show in.
    """
    course = run.course
    if course is None or not len(run.rounds):
        return None
    arrays = changing(course)
    return join([
        el("h2", "The world before and after"),
        el("p", _delivered(course)),
        el("ul", (el("li", _inequality(course, name)) for name in arrays), class_="plain") if arrays else None,
        drawings(run, [kind for kind in PICTURES if kind in kinds]),
        _fullest(course, arrays),
        _unknown(run, course),
    ])  # fmt: skip


def _delivered(course: Course) -> str:
    hit = int((course.delivered > 0).sum())
    most = int(course.delivered.max(initial=0))
    return (
        f"{count(hit, 'item')} of the {int(course.drawable.sum()):,} that can be drawn were delivered, "
        f"the most frequent one {count(most, 'time')}."
    )


def _inequality(course: Course, array: str) -> Markup:
    values = course.inequality(array)
    known = np.flatnonzero(~np.isnan(values))
    name = el("strong", foreign(array.replace("_", " "), LONGEST_NAME))
    unit = [" (", foreign(course.units[array], 80), ")"] if course.units[array] else None
    if not len(known):
        low, high = (number(float(np.nan_to_num(edge(course.arrays[array][-1])))) for edge in (np.nanmin, np.nanmax))
        return join([name, unit, f": from {low} to {high} after the last round."])
    first, last = float(values[known[0]]), float(values[known[-1]])
    start = int(course.moments[known[0]])
    when = "before the first round" if start == 0 else f"after round {start}"
    return join([
        name, unit, f": its Gini coefficient over the items was {number(first)} {when} and {number(last)} at the end "
        f"({signed(last - first)}; 0 = all items alike, 1 = one has it all).",
    ])  # fmt: skip


def _fullest(course: Course, arrays: list[str]) -> Markup | None:
    """The items that stand highest in the first array at the end, else those delivered most often."""
    if not course.delivered.any():
        return None
    leading = np.nan_to_num(course.arrays[arrays[0]][-1]) if arrays else np.zeros(len(course.items))
    order = np.lexsort((-course.delivered, -leading))[:MOST_LISTED]
    head = el(
        "tr",
        el("th", "fullest items at the end" if arrays else "items delivered most often"),
        el("th", "times delivered", class_="n"),
        (
            el("th", foreign(f"{name.replace('_', ' ')} {when}", 60), class_="n")
            for name in arrays
            for when in ("before", "after")
        ),
    )
    lines = []
    for row in order.tolist():
        cells: list[Child] = [el("td", f"{course.delivered[row]:,}", class_="n")]
        for name in arrays:
            cells += [el("td", number(float(course.arrays[name][at][row])), class_="n") for at in (0, -1)]
        lines.append(el("tr", el("th", foreign(course.items[row], LONGEST_NAME), scope="row"), cells))
    return el("div", el("table", el("thead", head), el("tbody", lines)), class_="wide")


def _unknown(run: Run, course: Course) -> Markup | None:
    """Why there are no arrays in a world that has dynamics."""
    if course.arrays or run.setting is None or not run.setting.keys.get("dynamics"):
        return None
    return el(
        "p",
        "What the dynamics made of the items is not shown: it takes the scenario's own code, which a report does not "
        "run, or differs from what was logged.",
        class_="facts",
    )
