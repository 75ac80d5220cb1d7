"""What did every stakeholder get, round by round?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator.plots import style
from simulator.plots.lines import draw_lines
from simulator.plots.thinning import round_axis_label

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from simulator.runs import Run


def figure(run: Run) -> Figure:
    """Each stakeholder's utility of the delivered slate per round, in 0..1; the legend gives its mean over the run."""
    drawn, (axes,) = style.new_figure()
    style.title(drawn, "What every stakeholder got", run)
    utilities = run.by_stakeholder("utility")
    if utilities.empty:
        style.say_instead(axes, "no utilities were logged")
        return drawn
    handles = draw_lines(axes, utilities)
    named = zip(style.labels(run.names), utilities.mean(), strict=True)
    style.legend(drawn, handles, [f"{name}\nmean {mean:.2f}" for name, mean in named], labelspacing=0.8)
    axes.set_ylim(-0.02, 1.02)
    style.name_axes(axes, round_axis_label(len(utilities)), "utility of the slate (0 to 1)")
    return drawn
