"""Lines where another mediator begins to decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from simulator.plots import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from simulator.plots.changes import Regime

LEVELS = 2
LONGEST = 24
_LETTER = 0.62  # mean width of a letter, as a share of the font's size


def mark_regimes(figure: Figure, regimes: Sequence[Regime], before: float) -> None:
    """Mark every change of the mediator in all panels over rounds, and name the mediators above the first of them.

    Args:
        figure: its panels have rounds on their x axis.
        regimes: as in `simulator.plots.changes`; nothing is marked where only one mediator decided.
        before: how far before its first round a regime begins on the axis.
    """
    panels = [axes for axes in figure.axes if axes.axison and axes.get_label() != "<colorbar>"]
    if len(regimes) < 2 or not panels:
        return
    for axes in panels:
        kept = axes.get_xlim()
        for regime in regimes[1:]:
            axes.axvline(
                regime.round - before, color=style.INK, linewidth=style.stroke(1.1), linestyle=(0, (4, 2)), zorder=6
            )
        axes.set_xlim(kept)
    _name(panels[0], regimes, before)


def _name(axes: Axes, regimes: Sequence[Regime], before: float) -> None:
    """Names begin at their lines, on two levels; a name that would run into another one is left out."""
    low, high = axes.get_xlim()
    room = style.medium().width * 72 * 0.6  # points; the axes' width is known once everything is drawn
    letters = style.size(-2) * _LETTER / room
    ends = [-1.0] * LEVELS
    for place, regime in enumerate(regimes):
        start = 0.0 if place == 0 else (regime.round - before - low) / (high - low)
        text = style.label(regime.mediator, LONGEST)
        level = next((level for level in range(LEVELS) if ends[level] <= start), None)
        if level is None:
            continue
        late = start + len(text) * letters > 1.25
        ends[level] = start + (0 if late else len(text) * letters) + letters
        axes.annotate(
            text,
            (start, 1.0),
            xycoords="axes fraction",
            xytext=(0, 3 + level * style.size(-2) * 1.25),
            textcoords="offset points",
            ha="right" if late else "left",
            va="bottom",
            fontsize=style.size(-2),
            color=style.INK,
        )
