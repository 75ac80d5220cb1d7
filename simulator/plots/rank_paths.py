"""How did the items that were delivered move up and down the collective ranking?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from simulator.plots import style
from simulator.plots.end_labels import name_ends
from simulator.plots.thinning import rounds_per_point

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from simulator.profile import Floats
    from simulator.runs import Run

HEIGHT = 5.4
MOST_NAMED = 10
MOST_ROWS = 15
MOST_STOPS = 16
MOST_COLUMNS = 60


@dataclass(frozen=True)
class Paths:
    """Positions of items in a series of outcomes.

    Attributes:
        places: `(s,)` where each outcome stands on the round axis; earlier turns stand before their round's number.
        positions: per item `(s,)` positions from 1 = first, tied items at the mean of their positions, nan where the
            item was not on the table.
        delivered: in how many rounds each item was in the delivered slate, most often first.
        k: size of the slate.
    """

    places: Floats
    positions: dict[str, Floats]
    delivered: Counter[str]
    k: int


def paths(run: Run) -> Paths:
    """The paths in a run: every turn of a short run, else the last outcome of every round."""
    finished = set(run.rounds["round"]) if "round" in run.rounds else set()
    outcomes = [outcome for outcome in run.outcomes() if outcome["round"] in finished]
    last = {outcome["round"]: outcome for outcome in outcomes}
    shown = outcomes if len(outcomes) <= MOST_STOPS else list(last.values())
    turns = max((outcome["turn"] for outcome in shown), default=1)
    places = [outcome["round"] - (last[outcome["round"]]["turn"] - outcome["turn"]) / turns for outcome in shown]
    counts = Counter(item for outcome in last.values() for item in outcome["slate"])
    delivered = Counter(dict(sorted(counts.items(), key=lambda entry: -entry[1])))
    positions = {item: np.full(len(shown), np.nan) for outcome in shown for tier in outcome["tiers"] for item in tier}
    for stop, outcome in enumerate(shown):
        above = 0
        for tier in outcome["tiers"]:
            for item in tier:
                positions[item][stop] = above + (len(tier) + 1) / 2
            above += len(tier)
    return Paths(np.array(places), positions, delivered, max((len(one["slate"]) for one in shown), default=0))


def figure(run: Run) -> Figure:
    """The delivered items' positions: lines for a short run, else a strip for each of those delivered most often."""
    drawn, (axes,) = style.new_figure(height=HEIGHT)
    style.title(drawn, "How the delivered items rose and fell", run)
    found = paths(run)
    if not len(found.places):
        style.say_instead(axes, "no outcomes were logged")
    elif len(found.places) <= MOST_STOPS:
        _lines(axes, found)
    else:
        _strips(drawn, axes, found)
    return drawn


def _lines(axes: Axes, found: Paths) -> None:
    """The items delivered most often in colour and by name, other delivered ones in grey, the slate's places shaded."""
    bottom = float(max(np.nanmax(path) for path in found.positions.values()))
    axes.axhspan(0.4, found.k + 0.5, color=style.PALETTE[5], alpha=0.18, linewidth=0)
    named = list(found.delivered)[:MOST_NAMED]
    for item in list(found.delivered)[MOST_NAMED:]:
        axes.plot(
            found.places,
            found.positions[item],
            color=style.FAINT,
            alpha=0.3,
            linewidth=style.stroke(1),
            marker=".",
            markersize=style.stroke(3),
        )
    for place, item in enumerate(named):
        looks = style.line_style(place)
        path = found.positions[item]
        known = ~np.isnan(path)
        # Thin where the item was not on the table between two rounds.
        axes.plot(found.places[known], path[known], color=looks["color"], linewidth=style.stroke(0.8), alpha=0.5)
        axes.plot(
            found.places,
            path,
            color=looks["color"],
            marker=looks["marker"],
            linestyle="-" if place < len(style.PALETTE) else "--",
            linewidth=style.stroke(2),
            markersize=style.stroke(6),
            markeredgecolor=style.PAPER,
            markeredgewidth=0.5,
        )
    _frame(axes, found, bottom)
    _name_ends(axes, found, named)


def _strips(figure: Figure, axes: Axes, found: Paths) -> None:
    """Rows are items, columns rounds (or means over neighbouring rounds); blank where an item was not on the table."""
    step = rounds_per_point(len(found.places), MOST_COLUMNS)
    items = list(found.delivered)[:MOST_ROWS]
    cells = np.array([_means(found.positions[item], step) for item in items])
    last = found.places[0] + len(cells[0]) * step
    worst = max(float(np.nanmax(path)) for path in found.positions.values())
    image = axes.imshow(
        cells,
        aspect="auto",
        interpolation="nearest",
        cmap="YlGnBu_r",
        vmin=1,
        vmax=worst,
        extent=(found.places[0] - 0.5, last - 0.5, len(items) - 0.5, -0.5),
    )
    axes.grid(False)
    for row in range(1, len(items)):
        axes.axhline(row - 0.5, color=style.PAPER, linewidth=style.stroke(2))
    shown = [f"{name} ({found.delivered[item]})" for name, item in zip(style.labels(items, 20), items, strict=True)]
    axes.set_yticks(range(len(items)), shown, fontsize=style.size(-1), color=style.INK)
    pooled = f" (each cell is the mean of {step} rounds)" if step > 1 else ""
    style.name_axes(axes, f"round{pooled}", "item (times delivered)")
    bar = figure.colorbar(image, ax=axes, shrink=0.8, aspect=30, pad=0.02)
    bar.ax.invert_yaxis()
    bar.set_ticks(sorted({1, *range(5 if worst <= 30 else 10, int(worst) + 1, 5 if worst <= 30 else 10)}))
    bar.set_label("position in the collective ranking (1 = first)", fontsize=style.size(-1), color=style.INK)
    bar.ax.tick_params(colors=style.INK, labelsize=style.size(-2))


def _frame(axes: Axes, found: Paths, bottom: float) -> None:
    from matplotlib.ticker import MaxNLocator

    room = max(0.3, (found.places[-1] - found.places[0]) * 0.02)
    axes.set_xlim(found.places[0] - room, found.places[-1] + room)
    axes.set_ylim(bottom + 0.6, 0.4)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=10, integer=True, min_n_ticks=1))
    axes.set_yticks(sorted({1, found.k, *range(5, int(bottom) + 1, 5 if bottom <= 30 else 10)}))
    earlier = "; points before a round are its earlier turns" if (found.places != found.places.round()).any() else ""
    style.name_axes(axes, f"round{earlier}", "position in the collective ranking (1 = first)")


def _name_ends(axes: Axes, found: Paths, named: Sequence[str]) -> None:
    ends = []
    for item in named:
        known = np.flatnonzero(~np.isnan(found.positions[item]))
        ends.append((float(found.places[known[-1]]), float(found.positions[item][known[-1]])))
    longest = 12 if style.medium().narrow else 20
    shown = [
        f"{text} ({found.delivered[item]})" for text, item in zip(style.labels(named, longest), named, strict=True)
    ]
    name_ends(axes, ends, shown, "item (times delivered)", inches=HEIGHT * style.medium().height - 0.9)


def _means(values: Floats, step: int) -> Floats:
    """Means of groups of `step` values without nan; nan for groups of nan only."""
    groups = np.pad(values, (0, -len(values) % step), constant_values=np.nan).reshape(-1, step)
    known = ~np.isnan(groups)
    total = np.where(known, groups, 0.0).sum(axis=1)
    return np.asarray(np.where(known.any(axis=1), total / np.maximum(known.sum(axis=1), 1), np.nan))
