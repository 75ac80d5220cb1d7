"""What fills up as the rounds go by, and how unequally?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from simulator.plots import style
from simulator.plots.end_labels import name_ends
from simulator.plots.lines import draw_lines
from simulator.plots.thinning import rounds_per_point, thin

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from simulator.profile import Floats
    from simulator.runs import Run
    from simulator.runs.course import Course

MOST_ARRAYS = 3
MOST_NAMED = 6
MOST_OTHERS = 60
TALL = 2.5  # inches, of a panel


def fits(run: Run) -> bool:
    """Whether the run's dynamics maintain an array that changed."""
    return run.course is not None and bool(changing(run.course))


def changing(course: Course) -> list[str]:
    """The arrays that did not stay what they were."""
    return [name for name, values in course.arrays.items() if len(values) > 1 and np.ptp(values, axis=0).max() > 0]


def figure(run: Run) -> Figure:
    """A panel for each state array; below them, each array's Gini coefficient.

    The items that stood highest on average are named, others are grey; items whose value was the
    same in every round share one line.
    """
    course = run.course
    arrays = changing(course)[:MOST_ARRAYS] if course is not None else []
    drawn, panels = style.new_figure(
        max(1, len(arrays) + 1), 1, height=0.9 + TALL * max(1, len(arrays) + 0.75), sharex=True
    ) if arrays else style.new_figure()  # fmt: skip
    style.title(drawn, "What fills up", run)
    if course is None or not arrays:
        style.say_instead(panels[0], "the run's scenario has no dynamics that could be followed")
        return drawn
    for axes, name in zip(panels, arrays, strict=False):
        _fill(axes, course, name)
    _inequality(panels[-1], course, arrays)
    return drawn


@dataclass(frozen=True)
class Paths:
    """Items with the same course: names of the first of them, how many others share it, and the values `(s,)`."""

    first: str
    others: int
    values: Floats


def distinct_paths(course: Course, array: str) -> list[Paths]:
    """The distinct courses of an array that are not constant, the one that stood highest on average first."""
    values = course.arrays[array]
    known = np.flatnonzero(~np.isnan(values).any(axis=0))
    known = known[np.ptp(values[:, known], axis=0) > 0]
    unique, first, counts = np.unique(values[:, known], axis=1, return_index=True, return_counts=True)
    order = sorted(range(len(first)), key=lambda place: (-float(unique[:, place].mean()), int(first[place])))
    return [
        Paths(course.items[known[first[place]]], int(counts[place]) - 1, np.asarray(unique[:, place]))
        for place in order
    ]  # fmt: skip


def _fill(axes: Axes, course: Course, array: str) -> None:
    import pandas as pd
    from matplotlib.collections import LineCollection

    found = distinct_paths(course, array)[: MOST_NAMED + MOST_OTHERS]
    named = found[:MOST_NAMED]
    points = thin(pd.DataFrame(np.column_stack([path.values for path in found]), index=course.moments))
    others = [np.column_stack([points.index, points[place]]) for place in points.columns[MOST_NAMED:]]
    axes.add_collection(
        LineCollection(others, colors=style.FAINT, alpha=0.35, linewidths=style.stroke(0.8)), autolim=False
    )
    draw_lines(axes, points[points.columns[:MOST_NAMED]])
    low, high = min(0.0, float(points.to_numpy().min())), float(points.to_numpy().max())
    room = 0.06 * (high - low)
    axes.set_ylim(low - (room if low < 0 else room / 3), high + room)
    _over_rounds(axes, course)
    style.name_axes(axes, "", _words(array))
    _head(axes, style.label(course.units[array], 60) if course.units[array] else "")
    longest = 12 if style.medium().narrow else 22
    texts = style.labels([path.first for path in named], longest)
    shown = [
        f"{text} + {path.others} alike" if path.others else text for text, path in zip(texts, named, strict=True)
    ]  # fmt: skip
    ends = [(float(points.index[-1]), float(points[place].to_numpy()[-1])) for place in range(len(named))]
    name_ends(axes, ends, shown, "" if style.medium().narrow else "item", inches=TALL * style.medium().height - 0.2)


def _inequality(axes: Axes, course: Course, arrays: list[str]) -> None:
    """The Gini of each array; an array that is negative somewhere has none."""
    import pandas as pd

    handles, names = [], []
    for place, name in enumerate(arrays):
        values = thin(pd.DataFrame({name: course.inequality(name)}, index=course.moments))[name]
        if values.isna().all():
            continue
        looks = style.line_style(place) | {"marker": "none"}
        (line,) = axes.plot(values.index, values, **looks, linewidth=style.stroke(1.8))
        handles.append(line)
        names.append(_words(name))
    _over_rounds(axes, course)
    if not handles:
        style.say_instead(axes, "no array whose inequality could be measured")
        return
    axes.set_ylim(-0.02, 1.02)
    step = rounds_per_point(len(course.moments))
    told = f"after round (each point is the mean of {step})" if step > 1 else "after round (0: before the first)"
    style.name_axes(axes, told, "Gini coefficient")
    _head(axes, "over the items: 0 all alike, 1 one has it all")
    if len(handles) > 1:
        axes.legend(
            handles, names, frameon=False, fontsize=style.size(-1.5), labelcolor=style.INK, loc="lower left", ncols=3
        )
    else:
        axes.annotate(
            names[0], (0.01, 0.06), xycoords="axes fraction", fontsize=style.size(-1.5), color=style.INK
        )  # fmt: skip


def _over_rounds(axes: Axes, course: Course) -> None:
    from matplotlib.ticker import MaxNLocator

    last = int(course.moments[-1])
    axes.xaxis.set_major_locator(MaxNLocator(nbins=10, integer=True, min_n_ticks=1))
    axes.set_xlim(-0.02 * last, last * 1.02)


def _head(axes: Axes, unit: str) -> None:
    """What a panel's values are, above it."""
    axes.set_title(unit, loc="left", fontsize=style.size(-2.5), color=style.FAINT)


def _words(array: str) -> str:
    return style.label(array.replace("_", " "))
