"""How fair was the collective, round by round and so far?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulator.plots import style
from simulator.plots.lines import count_rounds
from simulator.plots.thinning import round_axis_label, thin

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from simulator.runs import Run

PANELS = (
    (
        "welfare, 0 to 1\n(higher is better)",
        {"utilitarian": "mean", "nash_welfare": "Nash welfare", "minimum": "worst off"},
    ),
    ("inequality, 0 to 1\n(lower is better)", {"gini": "Gini"}),
)


def figure(run: Run) -> Figure:
    """Mean, Nash welfare and minimum above, Gini below; solid per round, dashed the same over all rounds so far."""
    drawn, panels = style.new_figure(2, 1, height=5.4, sharex=True, height_ratios=(3, 2))
    style.title(drawn, "How fair the decisions were", run)
    handles: list[Any] = []
    names: list[str] = []
    place = 0
    for axes, (meaning, metrics) in zip(panels, PANELS, strict=True):
        logged = {metric: shown for metric, shown in metrics.items() if metric in run.rounds}
        for metric, shown in logged.items():
            handles.append(_draw(axes, run, metric, place))
            names.append(shown)
            place += 1
        if not logged:
            style.say_instead(axes, f"not logged: {', '.join(metrics)}")
            continue
        top = 1.02 if axes is panels[0] else max(0.3, 1.15 * float(run.rounds[list(logged)].max().max()))
        axes.set_ylim(-0.02 * top, top)
        style.name_axes(axes, "", meaning)
    if handles:
        from matplotlib.lines import Line2D

        handles += [Line2D([], [], color=style.FAINT, linestyle=dash) for dash in ("-", "--")]
        style.legend(drawn, handles, [*names, "this round", "all rounds so far"])
        count_rounds(panels[-1], run.rounds.set_index("round"))
    style.name_axes(panels[-1], round_axis_label(len(run.rounds)), panels[-1].get_ylabel())
    return drawn


def _draw(axes: Axes, run: Run, metric: str, place: int) -> Any:
    """Draw a metric's line and its cumulative one in the same colour; returns the first."""
    columns = [column for column in (metric, f"cumulative_{metric}") if column in run.rounds]
    points = thin(run.rounds.set_index("round")[columns].astype(float))
    looks = style.line_style(place) | {"linestyle": "-"}
    long = len(points) > 40
    (line,) = axes.plot(
        points.index,
        points[metric],
        **looks,
        linewidth=style.stroke(1.2 if long else 1.8),
        markersize=style.stroke(5.5),
        markevery=max(1, len(points) // 12),
        markeredgecolor=style.PAPER,
        markeredgewidth=0.6,
    )
    for column in columns[1:]:
        axes.plot(
            points.index,
            points[column],
            color=looks["color"],
            linestyle="--",
            linewidth=style.stroke(2.0 if long else 1.4),
        )
    return line
