"""The figures of a comparison: intervals, differences, the price of fairness, who wins under which rule, agreement."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.plots import style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from simulator.compare.comparison import Comparison

MOST_PANELS = 9
SHOWN_FIRST = ("utilitarian", "nash_welfare", "minimum", "gini", "kendall_tau", "turns", "agreed", "dry_spell")


def intervals(comparison: Comparison) -> Figure:
    """A panel a metric, a line a group: the mean and its 95% interval over seeds."""
    metrics = _chosen(comparison)
    return _forest(comparison, metrics, "What every group reaches", _interval_rows, zero=False)


def differences(comparison: Comparison) -> Figure:
    """The same for paired differences to the baseline; filled where Holm's p is below .05."""
    title = f"Paired differences to {style.label(str(comparison.baseline), 40)}"
    return _forest(comparison, _chosen(comparison), title, _difference_rows, zero=True)


def price_of_fairness(comparison: Comparison) -> Figure:
    """Mean utility against 1 - Gini, a point a group, with intervals and the Pareto front."""
    figure, (axes,) = style.new_figure(height=5.2)
    frame = comparison.fronts
    _title(figure, "What equality costs", comparison)
    if frame.empty:
        style.say_instead(axes, "needs the metrics utilitarian and gini")
        return figure
    spread = {(row["label"], row["metric"]): _half(row["high"], row["mean"]) for row in _records(comparison.summary)}
    front = frame[frame["on_front"]].sort_values("equality")
    axes.step(
        front["equality"],
        front["efficiency"],
        where="pre",
        color=style.FAINT,
        linewidth=1.6,
        linestyle="--",
        zorder=5,
        label="Pareto front",
    )
    names = style.labels([str(label) for label in frame["label"]])
    for place, (row, name) in enumerate(zip(_records(frame), names, strict=True)):
        looks = style.line_style(place)
        axes.errorbar(
            row["equality"],
            row["efficiency"],
            xerr=spread[row["label"], "gini"],
            yerr=spread[row["label"], "utilitarian"],
            color=looks["color"],
            marker=looks["marker"],
            markersize=8,
            elinewidth=0.7,
            linestyle="none",
            markerfacecolor=looks["color"] if row["on_front"] else style.PAPER,
            label=name,
        )
    handles, labels = axes.get_legend_handles_labels()
    style.legend(figure, handles, labels)
    style.name_axes(
        axes, "equality, 1 - Gini of utilities (higher is better)", "efficiency, mean utility\n(higher is better)"
    )
    axes.grid(True, axis="x", color=style.FAINT, alpha=0.3, linewidth=0.6)
    return figure


def who_is_served(comparison: Comparison) -> Figure:
    """A line a stakeholder, a point a group: mean utility; who wins under which rule."""
    frame = comparison.stakeholders
    names = [str(name) for name in dict.fromkeys(frame["stakeholder"])]
    figure, (axes,) = style.new_figure(height=1.8 + 0.55 * max(len(names), 2))
    _title(figure, "Whom every group serves", comparison)
    if frame.empty:
        style.say_instead(axes, "needs the metric utility")
        return figure
    groups = style.labels(list(comparison.labels))
    shift = np.linspace(-0.28, 0.28, len(groups)) if len(groups) > 1 else np.zeros(1)
    for place, (label, shown) in enumerate(zip(comparison.labels, groups, strict=True)):
        own = frame[frame["label"] == label].set_index("stakeholder").reindex(names)
        looks = style.line_style(place)
        axes.errorbar(
            own["mean"],
            np.arange(len(names)) + shift[place],
            xerr=np.nan_to_num((own["high"] - own["mean"]).to_numpy(dtype=np.float64)),
            color=looks["color"],
            marker=looks["marker"],
            linestyle="none",
            markersize=6,
            elinewidth=0.9,
            label=shown,
        )
    axes.set_yticks(range(len(names)), style.labels(names))
    axes.invert_yaxis()
    style.name_axes(axes, "mean utility of the delivered slates, 0 to 1, with 95% intervals")
    handles, labels = axes.get_legend_handles_labels()
    style.legend(figure, handles, labels)
    return figure


def agreement(comparison: Comparison) -> Figure:
    """A square a pair of groups: mean Kendall's tau-b between their outcomes on the same candidates."""
    means, _ = comparison.agreement
    g = len(means)
    figure, (axes,) = style.new_figure(height=max(4.2, 1.6 + 0.42 * g))
    _title(figure, "How far the groups decide alike", comparison)
    axes.grid(False)
    values = means.to_numpy(dtype=np.float64)
    image = axes.imshow(values, vmin=-1, vmax=1, cmap="PuOr")
    names = style.labels(list(comparison.labels), 20)
    axes.set_xticks(range(g), names, rotation=40, ha="right")
    axes.set_yticks(range(g), names)
    if g <= 16:
        for i, j in np.ndindex(g, g):
            shown = "" if np.isnan(values[i, j]) else f"{values[i, j]:.2f}"
            dark = abs(np.nan_to_num(values[i, j])) > 0.45
            axes.text(
                j,
                i,
                shown,
                ha="center",
                va="center",
                color=style.PAPER if dark else style.INK,
                fontsize=style.FONT_SIZE - 2,
            )
    bar = figure.colorbar(image, ax=axes, shrink=0.8)
    bar.set_label("Kendall's tau-b, -1 to 1", color=style.INK, fontsize=style.FONT_SIZE - 1)
    bar.ax.tick_params(colors=style.INK, labelsize=style.FONT_SIZE - 2)
    return figure


FIGURES: dict[str, Callable[[Comparison], Figure]] = {
    "intervals": intervals,
    "differences": differences,
    "price_of_fairness": price_of_fairness,
    "who_is_served": who_is_served,
    "agreement": agreement,
}


def write_figures(comparison: Comparison, folder: Path, format: str = "png") -> list[Path]:
    """Write every figure as `<name>.<format>`."""
    import matplotlib

    from simulator.plots.write import FORMATS

    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name, draw in FIGURES.items():
        files.append(folder / f"{name}.{format}")
        with matplotlib.rc_context({"svg.hashsalt": name}):
            draw(comparison).savefig(files[-1], format=format, metadata=FORMATS[format])
    return files


Rows = Callable[["Comparison", str], "list[tuple[str, float, float, bool]]"]


def _forest(comparison: Comparison, metrics: list[str], title: str, rows: Rows, *, zero: bool) -> Figure:
    groups = max(len(comparison.labels), 2)
    columns = min(3, max(len(metrics), 1))
    lines = -(-max(len(metrics), 1) // columns)
    figure, panels = style.new_figure(lines, columns, height=1.4 + lines * (0.9 + 0.24 * groups), sharey=True)
    _title(figure, title, comparison)
    if not metrics:
        style.say_instead(panels[0], "no metric is shared by all runs")
    names = dict(zip(comparison.labels, style.labels(list(comparison.labels), 22), strict=True))
    for axes in panels[len(metrics) :]:
        axes.set_axis_off()
    for axes, metric in zip(panels, metrics, strict=False):
        drawn = rows(comparison, metric)
        for place, (label, mean, half, marked) in enumerate(drawn):
            color = style.PALETTE[list(comparison.labels).index(label) % len(style.PALETTE)]
            face = color if marked else style.PAPER
            axes.errorbar(
                mean,
                place,
                xerr=half,
                color=color,
                marker="o",
                markersize=6,
                markerfacecolor=face,
                capsize=2,
                elinewidth=1.2,
            )
        axes.set_yticks(range(len(drawn)), [names[label] for label, *_ in drawn])
        axes.set_ylim(len(drawn) - 0.4, -0.6)
        axes.set_title(metric.replace("_", " "), fontsize=style.FONT_SIZE, color=style.INK)
        axes.grid(True, axis="x", color=style.FAINT, alpha=0.3, linewidth=0.6)
        axes.locator_params(axis="x", nbins=4)
        if zero:
            axes.axvline(0, color=style.FAINT, linewidth=1)
    return figure


def _interval_rows(comparison: Comparison, metric: str) -> list[tuple[str, float, float, bool]]:
    own = comparison.summary[comparison.summary["metric"] == metric]
    return [(row["label"], row["mean"], _half(row["high"], row["mean"]), True) for row in _records(own)]


def _difference_rows(comparison: Comparison, metric: str) -> list[tuple[str, float, float, bool]]:
    own = comparison.differences[comparison.differences["metric"] == metric]
    return [
        (row["label"], row["difference"], _half(row["high"], row["difference"]), bool(row["p_holm"] < 0.05))
        for row in _records(own)
    ]


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(key): value for key, value in row.items()} for row in frame.to_dict("records")]


def _half(high: float, mean: float) -> float:
    """Half the width of an interval; 0 where there is none."""
    return float(np.nan_to_num(high - mean))


def _chosen(comparison: Comparison) -> list[str]:
    first = [metric for metric in SHOWN_FIRST if metric in comparison.metrics]
    rest = [metric for metric in comparison.metrics if metric not in first]
    return [*first, *rest][:MOST_PANELS]


def _title(figure: Figure, text: str, comparison: Comparison) -> None:
    run = comparison.members[0].run
    below = f"{style.label(run.title, 50)}  ·  {len(comparison.members)} runs"
    figure.suptitle(text, x=0.01, ha="left", fontsize=style.FONT_SIZE + 2, fontweight="bold", color=style.INK)
    figure.supxlabel(below, x=0.01, ha="left", fontsize=style.FONT_SIZE - 3, color=style.FAINT)
