"""Where are the items, and what have the rounds made of them?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.plots import style
from simulator.plots.end_labels import spread

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from simulator.dashboard.scene import Scene
    from simulator.profile import Floats

MOST_BARS = 20
LONGEST_NAME = 22
_LARGEST_DOT = 420.0
_MONTHS = ("January", "February", "March", "April", "May", "June",
           "July", "August", "September", "October", "November", "December")  # fmt: skip


def scene_figure(scene: Scene, array: str | None) -> Figure:
    """A map of the items by latitude and longitude, without a network; bars where there are no coordinates.

    Size and colour of a dot are the array's value; rings are the round's candidates, names what it delivered.
    """
    drawn, (axes,) = style.new_figure(height=5.6)
    what = "" if array is None else f": {style.label(array.replace('_', ' '))}"
    month = "" if scene.month is None else f", {_MONTHS[scene.month - 1]}"
    when = f"after round {scene.round}" if scene.round else "before the first round"
    drawn.suptitle(
        f"The world {when}{month}{what}",
        x=0.01,
        ha="left",
        fontsize=style.FONT_SIZE + 2,
        fontweight="bold",
        color=style.INK,
    )
    values = np.zeros(len(scene.ids)) if array is None else np.nan_to_num(scene.arrays[array])
    if scene.places is not None:
        _map(drawn, axes, scene, scene.places, values, array)
    elif array is not None:
        _bars(axes, scene, values, array)
    else:
        style.say_instead(axes, "the items have no coordinates, and no dynamics change them")
    return drawn


def _map(figure: Figure, axes: Axes, scene: Scene, places: Floats, values: Floats, array: str | None) -> None:
    from matplotlib.colors import Normalize

    across, up = places
    top = float(values.max(initial=0.0))
    axes.grid(True, color=style.FAINT, alpha=0.3, linewidth=0.6)
    axes.set_aspect(1 / max(float(np.cos(np.radians(np.nanmean(up)))), 0.2), adjustable="datalim")
    axes.margins(0.08)
    axes.locator_params(nbins=6)
    idle = values <= 0
    axes.scatter(across[idle], up[idle], s=14, color=style.FAINT, alpha=0.55, linewidths=0, zorder=2)
    if top > 0:
        order = np.flatnonzero(~idle)[np.argsort(-values[~idle], kind="stable")]  # small dots lie on large ones
        dots = axes.scatter(
            across[order],
            up[order],
            s=30 + _LARGEST_DOT * values[order] / top,
            c=values[order],
            cmap="plasma_r",
            norm=Normalize(0, top),
            alpha=0.85,
            edgecolors=style.PAPER,
            linewidths=0.6,
            zorder=3,
        )
        bar = figure.colorbar(dots, ax=axes, location="bottom", shrink=0.6, aspect=36, pad=0.02)
        bar.set_label(str(array).replace("_", " "), fontsize=style.FONT_SIZE - 1, color=style.INK)
        bar.ax.tick_params(colors=style.INK, labelsize=style.FONT_SIZE - 2)
    ring: dict[str, Any] = {"facecolors": "none", "zorder": 4}
    shown = scene.candidates
    axes.scatter(across[shown], up[shown], s=60, edgecolors=style.PALETTE[0], linewidths=1.1, label="candidate", **ring)
    won = scene.slate
    axes.scatter(across[won], up[won], s=150, edgecolors=style.PALETTE[1], linewidths=2.2, label="delivered", **ring)
    _name(axes, scene, places)
    style.name_axes(axes, "longitude (°)", "latitude (°)")
    handles, labels = axes.get_legend_handles_labels()
    if len(shown):
        style.legend(figure, handles, labels, columns=2, loc="outside lower left")


def _name(axes: Axes, scene: Scene, places: Floats) -> None:
    """Names of what was delivered at the right, apart from each other and tied to their dots by lines."""
    rows = [row for row in scene.slate.tolist() if not np.isnan(places[:, row]).any()]
    low, high = np.nanmin(places[1]), np.nanmax(places[1])
    wanted = [float((places[1, row] - low) / max(high - low, 1e-9)) for row in rows]
    shown = style.labels([scene.ids[row] for row in rows], LONGEST_NAME)
    for row, text, height in zip(rows, shown, spread(wanted, gap=0.07, low=0.05, high=0.95), strict=True):
        axes.annotate(
            text,
            tuple(places[:, row]),
            xytext=(1.02, height),
            textcoords="axes fraction",
            ha="left",
            va="center",
            fontsize=style.FONT_SIZE - 1,
            color=style.INK,
            arrowprops={
                "arrowstyle": "-",
                "color": style.PALETTE[1],
                "linewidth": 0.9,
                "shrinkB": 7,
                "relpos": (0, 0.5),
            },
            annotation_clip=False,
        )


def _bars(axes: Axes, scene: Scene, values: Floats, array: str) -> None:
    """The items with the largest values, what was delivered in colour."""
    rows = np.argsort(-values, kind="stable")[:MOST_BARS]
    won = np.isin(rows, scene.slate)
    colours = [style.PALETTE[1] if hit else style.PALETTE[0] for hit in won]
    axes.barh(np.arange(len(rows)), values[rows], color=colours, height=0.7)
    axes.set_yticks(range(len(rows)), style.labels([scene.ids[row] for row in rows], LONGEST_NAME))
    axes.invert_yaxis()
    axes.set_xlim(left=0)
    axes.grid(False, axis="y")
    axes.grid(True, axis="x", color=style.FAINT, alpha=0.3, linewidth=0.6)
    style.name_axes(axes, f"{array.replace('_', ' ')} (orange: delivered last)", "")
