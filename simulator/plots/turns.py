"""How long did every round take to agree, and did it?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simulator.plots import style
from simulator.plots.lines import count_rounds
from simulator.plots.thinning import rounds_per_point

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from simulator.runs import Run

MOST_BARS = 120
MOST_GROUPS = 30
ENDINGS = {
    "agreement": ("agreed", style.PALETTE[2], ""),
    "limit": ("no agreement\nat the turn limit", style.PALETTE[1], "//"),
    "deadlock": ("deadlock:\nnobody moved", style.PALETTE[3], "xx"),
    "sealed": ("sealed: nobody\nis asked to agree", style.PALETTE[5], ".."),
}


def figure(run: Run) -> Figure:
    """Turns of each round as bars, coloured by how the round ended; of a long run, the share of every ending."""
    drawn, (axes,) = style.new_figure()
    if not {"turns", "ending"} <= set(run.rounds) or run.rounds.empty:
        style.title(drawn, "Turns to agreement", run)
        style.say_instead(axes, "no turns were logged")
        return drawn
    agreed = int((run.rounds["ending"] == "agreement").sum())
    style.title(drawn, f"Turns to agreement: {agreed} of {len(run.rounds)} rounds agreed", run)
    table = run.rounds.set_index("round")
    if len(table) <= MOST_BARS:
        _bars(axes, table)
        style.name_axes(axes, "round", "turns")
    else:
        _shares(axes, table)
    count_rounds(axes, table)
    handles, names = axes.get_legend_handles_labels()
    style.legend(drawn, handles, names, labelspacing=0.8)
    return drawn


def _bars(axes: Axes, table: pd.DataFrame) -> None:
    for ending, (shown, colour, hatch) in ENDINGS.items():
        ended = table[table["ending"] == ending]
        if len(ended):
            axes.bar(
                ended.index, ended["turns"], width=0.7, color=colour, hatch=hatch, edgecolor=style.PAPER, label=shown
            )
    axes.set_ylim(0, int(table["turns"].max()) + 0.3)
    axes.set_yticks(range(int(table["turns"].max()) + 1) if table["turns"].max() <= 10 else axes.get_yticks())


def _shares(axes: Axes, table: pd.DataFrame) -> None:
    """Bars of equal numbers of rounds, each divided by ending and, where rounds agreed, by the number of turns."""
    step = rounds_per_point(len(table), MOST_GROUPS)
    group = np.arange(len(table)) // step
    middle = table.index.to_series().groupby(group).mean()
    below = np.zeros(len(middle))
    for ending, (shown, colour, hatch) in ENDINGS.items():
        ended = table["ending"] == ending
        for turns in sorted(table.loc[ended, "turns"].unique()):
            share = 100 * (ended & (table["turns"] == turns)).groupby(group).mean().to_numpy()
            alpha = 1.0 if ending != "agreement" else max(0.3, 1.2 - 0.2 * float(turns))
            name = f"{shown} in turn {turns}" if ending == "agreement" else shown
            axes.bar(
                middle, share, bottom=below, width=step * 0.85, color=colour, alpha=alpha, hatch=hatch,
                edgecolor=style.PAPER, linewidth=0, label=name,
            )  # fmt: skip
            below += share
    axes.set_ylim(0, 100)
    style.name_axes(axes, f"round (each bar is {step} rounds)", "share of rounds (%)")
