"""Where are the items, which of them were delivered, and how full are they?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.plots import style
from simulator.plots.world import changing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from simulator.profile import Floats
    from simulator.runs import Run
    from simulator.runs.course import Course

MOST_NAMED = 12
LARGEST = 330.0
SMALLEST = 26.0
FEW = 5  # deliveries, below which no dot gets the largest size


def fits(run: Run) -> bool:
    """Whether the catalogue has coordinates and something was delivered."""
    course = run.course
    return course is not None and course.coordinates is not None and bool(course.delivered.any())


def figure(run: Run) -> Figure:
    """A map by the columns latitude and longitude: size is how often an item was delivered, colour how full it is now.

    Delivered items are named, those delivered most often first, as far as there is room; the others are grey dots.
    """
    drawn, (axes,) = style.new_figure(height=6.2)
    style.title(drawn, "Where it went", run)
    course = run.course
    if course is None or course.coordinates is None or not course.delivered.any():
        style.say_instead(axes, "no items with latitude and longitude were delivered")
        return drawn
    across, up = course.coordinates
    known = ~np.isnan(course.coordinates).any(axis=0)
    hit = np.flatnonzero(known & (course.delivered > 0))
    idle = known & (course.delivered == 0)
    axes.set_aspect(1 / max(float(np.cos(np.radians(up[known].mean()))), 0.2), adjustable="datalim")
    axes.grid(True, color=style.FAINT, alpha=0.3, linewidth=0.6)
    axes.margins(0.07)
    dot = style.medium().stroke ** 2
    axes.scatter(across[idle], up[idle], s=13 * dot, color=style.FAINT, alpha=0.55, linewidths=0, zorder=2)
    order = hit[np.argsort(-course.delivered[hit], kind="stable")]  # small dots lie on large ones
    sizes = _sizes(course.delivered[order], int(course.delivered.max())) * dot
    arrays = changing(course)
    values = course.arrays[arrays[0]][-1][order] if arrays else np.full(len(order), np.nan)
    looks: dict[str, Any] = {"s": sizes, "edgecolors": style.INK, "linewidths": style.stroke(0.7), "zorder": 3}
    if np.isnan(values).all():
        axes.scatter(across[order], up[order], color=style.PALETTE[0], alpha=0.8, **looks)
    else:
        shown = axes.scatter(across[order], up[order], c=np.nan_to_num(values), cmap="YlOrRd", vmin=0, **looks)
        bar = drawn.colorbar(shown, ax=axes, location="bottom", shrink=0.6, aspect=36, pad=0.02)
        unit = f" ({style.label(course.units[arrays[0]], 44)})" if course.units[arrays[0]] else ""
        bar.set_label(
            f"{style.label(arrays[0].replace('_', ' '))} after the last round{unit}",
            fontsize=style.size(-1),
            color=style.INK,
        )
        bar.ax.tick_params(colors=style.INK, labelsize=style.size(-2))
        bar.outline.set_visible(False)
    style.name_axes(axes, "longitude (°)", "latitude (°)")
    _explain(drawn, course, dot, bool(idle.any()))
    _name(drawn, axes, course, order, sizes)
    return drawn


def _sizes(delivered: Any, most: int) -> Floats:
    """Areas in square points, in proportion to how often an item was delivered."""
    return np.asarray(SMALLEST + (LARGEST - SMALLEST) * delivered / max(most, FEW))


def _explain(figure: Figure, course: Course, dot: float, idle: bool) -> None:
    from matplotlib.lines import Line2D

    most = int(course.delivered.max())
    steps = sorted({1, round((1 + most) / 2), most})
    handles, names = [], []
    for count in steps:
        across = float(np.sqrt(_sizes(np.array(count), most) * dot))
        handles.append(
            Line2D(
                [], [], marker="o", linestyle="none", markersize=across, color=style.FAINT, markeredgecolor=style.INK
            )
        )
        names.append(f"delivered\n{count} time{'' if count == 1 else 's'}")
    if idle:
        handles.append(Line2D([], [], marker="o", linestyle="none", markersize=3.6, color=style.FAINT, alpha=0.55))
        names.append("never\ndelivered")
    style.legend(figure, handles, names, labelspacing=1.1)


def _name(figure: Figure, axes: Axes, course: Course, order: Any, sizes: Floats) -> None:
    """Write names beside their dots where neither another name nor another delivered dot is in the way."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.transforms import Bbox

    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]  # settles where the axes are
    renderer = canvas.get_renderer()  # type: ignore[no-untyped-call]
    assert course.coordinates is not None
    at = axes.transData.transform(course.coordinates[:, order].T)
    half = np.sqrt(sizes) / 2 * figure.dpi / 72
    dots = [Bbox([point - radius, point + radius]) for point, radius in zip(at, half, strict=True)]
    inside = axes.get_window_extent(renderer)
    taken: list[Bbox] = []
    shown = style.labels([course.items[row] for row in order[:60]], 14 if style.medium().narrow else 22)
    for place, text in enumerate(shown):
        if len(taken) == MOST_NAMED:
            break
        across, up = course.coordinates[:, order[place]]
        gap = half[place] * 72 / figure.dpi + 2
        for side, height in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)):
            near = 0.75 if side and height else 1.0
            note = axes.annotate(
                text,
                (float(across), float(up)),
                xytext=(side * gap * near, height * gap * near),
                textcoords="offset points",
                ha={1: "left", 0: "center", -1: "right"}[side],
                va={1: "bottom", 0: "center", -1: "top"}[height],
                fontsize=style.size(-2),
                color=style.INK,
                zorder=5,
            )
            box = note.get_window_extent(renderer)
            free = inside.containsx(box.x0) and inside.containsx(box.x1) and inside.containsy(box.y0)
            free = free and inside.containsy(box.y1) and not any(box.overlaps(other) for other in taken)
            if free and not any(box.overlaps(other) for i, other in enumerate(dots) if i != place):
                taken.append(box.padded(1))
                break
            note.remove()
