"""One line a column over the rounds, told apart by colour, dashes and marker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulator.plots import style
from simulator.plots.thinning import thin

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

MARKED_POINTS = 12


def draw_lines(axes: Axes, table: pd.DataFrame) -> list[Any]:
    """Draw a table (rounds down, one line a column) and return the lines; long tables are thinned."""
    points = thin(table)
    handles = []
    for place, name in enumerate(points):
        every = max(1, -(-len(points) // MARKED_POINTS))
        # Shifted marks: lines that run on top of each other still show every marker.
        marks = (place * every // max(1, len(points.columns)), every)
        (line,) = axes.plot(
            points.index,
            points[name],
            **style.line_style(place),
            linewidth=style.stroke(1.8 if len(points) <= 40 else 1.3),
            markersize=style.stroke(6),
            markevery=marks if every > 1 else 1,
            markeredgecolor=style.PAPER,
            markeredgewidth=0.6,
        )
        handles.append(line)
    count_rounds(axes, table)
    return handles


def count_rounds(axes: Axes, table: pd.DataFrame) -> None:
    """Whole numbers on the x axis, from the first to the last round."""
    from matplotlib.ticker import MaxNLocator

    first, last = int(table.index.min()), int(table.index.max())
    if first == last:
        axes.set_xlim(first - 1.5, first + 1.5)
        axes.set_xticks([first])
        return
    axes.xaxis.set_major_locator(MaxNLocator(nbins=10, integer=True, min_n_ticks=1))
    axes.set_xlim(first - 0.6, last + max(0.6, (last - first) * 0.02))
