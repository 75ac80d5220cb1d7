"""Who is ahead and who is behind over the whole run, and who waited longest?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simulator.plots import style
from simulator.plots.lines import count_rounds, draw_lines
from simulator.plots.thinning import round_axis_label

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from simulator.runs import Run

MOST_CELLS = 250


def figure(run: Run) -> Figure:
    """Above, each stakeholder's summed utility less the stakeholders' average; below, its longest dry spell so far."""
    count = len(run.names)
    drawn, (upper, lower) = style.new_figure(
        2, 1, height=4.6 + 0.24 * max(2, count), sharex=True, height_ratios=(3.2, 0.8 + 0.26 * max(2, count))
    )
    style.title(drawn, "Who is ahead and who is behind", run)
    sums, spells = run.by_stakeholder("cumulative_utility"), run.by_stakeholder("dry_spell")
    if sums.empty:
        style.say_instead(upper, "no cumulative utilities were logged")
    else:
        ahead = sums.sub(sums.mean(axis=1), axis=0)
        upper.axhline(0, color=style.INK, linewidth=style.stroke(1))
        handles = draw_lines(upper, ahead)
        totals = zip(style.labels(run.names), sums.iloc[-1], strict=True)
        style.legend(drawn, handles, [f"{name}\ntotal {total:.1f}" for name, total in totals], labelspacing=0.8)
        style.name_axes(upper, "", "summed utility, more or less\nthan the average of all")
    if spells.empty:
        style.say_instead(lower, "no dry spells were logged")
    else:
        _strips(lower, spells, run.names)
        count_rounds(lower, spells)
    style.name_axes(lower, round_axis_label(len(run.rounds)), "longest dry spell\nso far (rounds)")
    return drawn


def _strips(axes: Axes, spells: pd.DataFrame, names: list[str]) -> None:
    """A strip a stakeholder, the darker the longer it went without an item of its own top k; the last beside it."""
    step = max(1, -(-len(spells) // MOST_CELLS))
    cells = spells.to_numpy().T[:, ::step]
    first, last = int(spells.index.min()), int(spells.index.max())
    longest = float(np.nanmax(cells)) if np.isfinite(cells).any() else 0.0
    axes.imshow(
        cells,
        aspect="auto",
        interpolation="nearest",
        cmap="YlOrBr",
        vmin=0,
        vmax=max(longest * 1.25, 4),
        extent=(first - 0.5, last + 0.5, len(cells) - 0.5, -0.5),
    )
    axes.grid(False)
    for row in range(1, len(cells)):
        axes.axhline(row - 0.5, color=style.PAPER, linewidth=style.stroke(2))
    axes.set_yticks(range(len(cells)), style.labels(names, 20), fontsize=style.size(-2), color=style.INK)
    for row, value in enumerate(spells.iloc[-1]):
        axes.annotate(
            "-" if np.isnan(value) else f"{value:.0f}",
            (1, row),
            xycoords=("axes fraction", "data"),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            fontsize=style.size(-1),
            color=style.INK,
        )
