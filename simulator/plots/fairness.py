"""How fair was the collective, round by round and so far?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulator.callsyntax import parse_call
from simulator.plots import style
from simulator.plots.lines import count_rounds
from simulator.plots.thinning import round_axis_label, thin

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from simulator.runs import Run

SOFT = "soft_"  # what the names of metrics about groups of users begin with
PANELS = (
    (
        "welfare, 0 to 1\n(higher is better)",
        {"utilitarian": "mean", "nash_welfare": "Nash welfare", "minimum": "worst off"},
    ),
    ("inequality, 0 to 1\n(lower is better)", {"gini": "Gini"}),
)


def figure(run: Run) -> Figure:
    """Mean, Nash welfare and minimum above, Gini below; solid per round, dashed the same over all rounds so far.

    A run that has logged gaps between groups of users, by inferred shares, has them in a third panel.
    """
    soft = [str(name) for name in run.rounds if str(name).startswith(SOFT) and run.rounds[name].notna().any()]
    ratios = (3, 2, 2) if soft else (3, 2)
    drawn, panels = style.new_figure(len(ratios), 1, height=1.08 * sum(ratios), sharex=True, height_ratios=ratios)
    style.title(drawn, "How fair the decisions were", run)
    handles: list[Any] = []
    names: list[str] = []
    place = 0
    for axes, (meaning, metrics) in zip(panels, PANELS, strict=False):
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
    for column in soft:
        handles.append(_draw_gap(panels[-1], run, column, place))
        names.append(_short(column))
        place += 1
    if soft:
        panels[-1].set_ylim(0, max(0.1, 1.15 * float(run.rounds[soft].max().max())))
        style.name_axes(panels[-1], "", "inferred groups' gaps\n(lower is better)")
    if handles:
        from matplotlib.lines import Line2D

        handles += [Line2D([], [], color=style.FAINT, linestyle=dash) for dash in ("-", "--")]
        style.legend(drawn, handles, [*names, "this round", "all rounds so far"])
        count_rounds(panels[-1], run.rounds.set_index("round"))
    style.name_axes(panels[-1], round_axis_label(len(run.rounds)), panels[-1].get_ylabel())
    return drawn


def _draw_gap(axes: Axes, run: Run, column: str, place: int) -> Any:
    """Draw a figure of groups, which stays as it is until the next block of rounds is complete."""
    points = thin(run.rounds.set_index("round")[[column]].astype(float))
    looks = style.line_style(place) | {"linestyle": "-", "linewidth": style.stroke(1.6), "marker": ""}
    (line,) = axes.plot(points.index, points[column], **looks, drawstyle="steps-post")
    return line


def _short(column: str) -> str:
    """A metric about groups in a legend: `exposure js: genre` for `soft_exposure_js(by=genre)`."""
    name, params = parse_call(column)
    plain = name.removeprefix(SOFT).replace("_", " ")
    return f"{plain}: {', '.join(map(str, params.values()))}" if params else plain


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
