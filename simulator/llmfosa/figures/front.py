"""What does parity cost in accuracy?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simulator.compare.pareto import on_front
from simulator.compare.statistics import Interval
from simulator.llmfosa.tables.results import Results
from simulator.plots import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMES = {
    "ndcg": "NDCG",
    "ndcg_untruncated": "NDCG, untruncated,",
    "recall": "recall",
    "hit": "hit rate",
    "dp": "DP (Jensen-Shannon distance)",
    "eo": "EO (Jensen-Shannon distance)",
}


def front(
    results: Results,
    *,
    quality: str = "ndcg@10",
    disparity: str = "dp@10",
    floor: str | None = "dp_floor@10",
    source: str = "",
) -> Figure:
    """Accuracy over disparity, a line a method through its fairness weights, means with 95% intervals over seeds.

    Filled points are on the Pareto front of all methods: none other is as accurate with less disparity. The dotted
    line is the mean floor, the disparity of groups that mean nothing.

    Args:
        results: of methods, with weights or without.
        quality: the figure for accuracy, higher is better.
        disparity: the figure for disparity, lower is better.
        floor: the figure for the floor; None or one that no result has draws none.
        source: what the results are of, in small letters below.
    """
    figure, (axes,) = style.new_figure(height=5.2)
    style.heading(figure, "What parity costs in accuracy", *filter(None, [source, _seeds(results)]))
    points = [(each, results.summary(each, quality), results.summary(each, disparity)) for each in results.settings]
    points = [each for each in points if not np.isnan(each[1].mean) and not np.isnan(each[2].mean)]
    if not points:
        style.say_instead(axes, f"no result has both {style.label(quality)} and {style.label(disparity)}")
        return figure
    best = on_front(np.array([each[1].mean for each in points]), -np.array([each[2].mean for each in points]))
    handles = []
    for place, method in enumerate(results.methods):
        looks = style.line_style(place)
        own = [(point, good) for point, good in zip(points, best, strict=True) if point[0][0] == method]
        if not own:
            continue
        x, y = [found.mean for (_, _, found), _ in own], [found.mean for (_, found, _), _ in own]
        (line,) = axes.plot(x, y, **looks, linewidth=style.stroke(1.4), markersize=style.stroke(7), zorder=3)
        line.set_markerfacecolor(style.PAPER)
        handles.append(line)
        axes.errorbar(
            x,
            y,
            xerr=[_half(found) for (_, _, found), _ in own],
            yerr=[_half(found) for (_, found, _), _ in own],
            color=looks["color"],
            elinewidth=style.stroke(0.8),
            linestyle="none",
            zorder=2,
        )
        chosen = [good for _, good in own]
        axes.plot(
            np.array(x)[chosen],
            np.array(y)[chosen],
            color=looks["color"],
            marker=looks["marker"],
            markersize=style.stroke(7),
            linestyle="none",
            zorder=4,
        )
    names = style.labels([method for method in results.methods if any(each[0][0] == method for each in points)])
    floors = [] if floor is None else [results.summary(each, floor).mean for each in results.settings]
    known = [value for value in floors if not np.isnan(value)]
    if known:
        handles.append(
            axes.axvline(float(np.mean(known)), color=style.FAINT, linestyle=":", linewidth=style.stroke(1.6), zorder=1)
        )
        names.append("floor: labels permuted")
    axes.grid(True, axis="x", color=style.FAINT, alpha=0.3, linewidth=0.6)
    axes.margins(0.08)
    style.legend(figure, handles, names)
    style.name_axes(axes, f"{_name(disparity)} (lower is fairer)", f"{_name(quality)} (higher is better)")
    return figure


def _name(metric: str) -> str:
    family, _, cut = metric.partition("@")
    shown = NAMES.get(family, style.label(family.replace("_", " ")))
    return f"{shown} at {cut}" if cut else shown


def _half(found: Interval) -> float:
    """Half the width of an interval; 0 where there is none."""
    return float(np.nan_to_num(found.high - found.mean))


def _seeds(results: Results) -> str:
    count = max((len(results.seeds(each)) for each in results.settings), default=0)
    return "one seed, no intervals" if count == 1 else f"95% intervals over {count} seeds; filled: Pareto front"
