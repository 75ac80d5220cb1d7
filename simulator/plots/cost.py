"""What did the rounds cost in tokens and in time?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simulator.plots import style
from simulator.plots.lines import count_rounds, draw_lines
from simulator.plots.thinning import round_axis_label, rounds_per_point, thin

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from simulator.runs import Run


def figure(run: Run) -> Figure:
    """Above, tokens (prompt and completion) per round, stacked by stakeholder; below, seconds each one waited."""
    drawn, (upper, lower) = style.new_figure(2, 1, height=5.6, sharex=True)
    style.title(drawn, "What the rounds cost", run)
    tokens, seconds = _tokens(run), _seconds(run)
    if tokens.empty or not tokens.to_numpy().sum():
        style.say_instead(upper, "no tokens: no model was asked")
    else:
        _stack(upper, tokens)
        style.name_axes(upper, "", "tokens")
    if seconds.empty:
        style.say_instead(lower, "no times were logged")
    else:
        handles = draw_lines(lower, seconds)
        whole = [line for line, name in zip(handles, seconds, strict=True) if name == ""]
        for line in whole:
            line.set(color=style.INK, linestyle="-", marker="_", linewidth=1.2)
        lower.set_ylim(bottom=0)
        style.name_axes(lower, round_axis_label(len(seconds)), "seconds")
        names = [str(name) or "whole round" for name in seconds]
        style.legend(drawn, handles, style.labels(names))
        count_rounds(lower, seconds)
    return drawn


def _tokens(run: Run) -> pd.DataFrame:
    prompt, completion = run.by_stakeholder("prompt_tokens"), run.by_stakeholder("completion_tokens")
    return prompt.add(completion, fill_value=0) if len(prompt.columns) else prompt


def _seconds(run: Run) -> pd.DataFrame:
    """Rounds down, stakeholders across in scenario order, then the whole round as the column with no name."""
    if run.timings.empty:
        return run.timings
    timings = run.timings.assign(stakeholder=run.timings["stakeholder"].fillna(""))
    table = timings.pivot_table(index="round", columns="stakeholder", values="seconds", aggfunc="sum")
    return table[[name for name in (*run.names, "") if name in table]]


def _stack(axes: Axes, tokens: pd.DataFrame) -> None:
    points = thin(tokens)
    below = np.zeros(len(points))
    for place, name in enumerate(points):
        axes.bar(
            points.index,
            points[name],
            bottom=below,
            width=0.8 * rounds_per_point(len(tokens)),
            color=style.line_style(place)["color"],
            edgecolor=style.PAPER,
            linewidth=0.5,
        )
        below += points[name].to_numpy()
