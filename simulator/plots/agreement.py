"""Who agrees with whom, and with the outcome?"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.metrics.kendall_tau import tau_b
from simulator.plots import style
from simulator.plots.ballots import last_words

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from simulator.profile import Floats
    from simulator.runs import Run

MOST_LABELLED = 5
REACH = 1.22  # of the axes around the circle of radius 1
OUTCOME = "outcome"


def mean_agreement(run: Run) -> Floats:
    """Mean over rounds of Kendall's tau-b between the last ballots of a round, and with its outcome.

    Shape `(n + 1, n + 1)`, stakeholders in scenario order and then the outcome; rounds in which one of the two
    rankings ties all items do not count, nan if that leaves none.
    """
    size = len(run.names) + 1
    total, count = np.zeros((size, size)), np.zeros((size, size))
    for word in last_words(run):
        tau = tau_b(word.ranks[:, None, :], word.ranks[None, :, :])
        total += np.where(np.isnan(tau), 0.0, tau)
        count += ~np.isnan(tau)
    return np.asarray(np.where(count > 0, total / np.maximum(count, 1), np.nan))


def agreement_graph(run: Run) -> nx.Graph:
    """The same as a graph: nodes are 0..n, with `name`; edges have `tau` where it is defined; the outcome is node n."""
    import networkx as nx

    tau = mean_agreement(run)
    graph = nx.Graph()
    graph.add_nodes_from((place, {"name": name}) for place, name in enumerate([*run.names, OUTCOME]))
    pairs = combinations(range(len(tau)), 2)
    graph.add_edges_from((i, j, {"tau": float(tau[i, j])}) for i, j in pairs if not np.isnan(tau[i, j]))
    return graph


def figure(run: Run) -> Figure:
    """A graph of mean Kendall tau between last ballots; with many stakeholders a table of all values beside it."""
    names = [*style.labels(run.names, 18), OUTCOME]
    crowded = len(names) - 1 > MOST_LABELLED
    stacked = crowded and style.medium().narrow
    drawn, axes = style.new_figure(
        2 if stacked else 1, 2 if crowded and not stacked else 1, height=10.0 if stacked else 5.0 if crowded else 5.6
    )
    style.title(drawn, "Who agrees with whom", run)
    graph = agreement_graph(run)
    if not graph.number_of_edges():
        for one in axes:
            style.say_instead(one, "no ballots were logged" if one is axes[0] else "")
        return drawn
    _graph(axes[0], names, graph, numbered=crowded)
    if crowded:
        _table(axes[1], names, graph)
    colours = drawn.colorbar(
        _shades(), ax=axes, location="bottom", shrink=0.5, aspect=36, pad=0.02, ticks=(-1, -0.5, 0, 0.5, 1)
    )
    break_ = "\n" if style.medium().narrow else " "
    colours.set_label(
        f"mean Kendall tau: \N{MINUS SIGN}1 opposite rankings,{break_}0 unrelated, 1 the same",
        fontsize=style.size(-1),
        color=style.INK,
    )
    colours.ax.tick_params(colors=style.INK, labelsize=style.size(-2))
    return drawn


def _shades() -> Any:
    """Orange for disagreement, blue for agreement, grey between: told apart by colour-blind readers."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    colours = LinearSegmentedColormap.from_list("agreement", ["#b34a00", "#e8a46a", "#d0d0d0", "#6fb2de", "#00558a"])
    return ScalarMappable(Normalize(-1, 1), colours)


def _graph(axes: Axes, names: list[str], graph: nx.Graph, *, numbered: bool) -> None:
    """Stakeholders and the outcome on a circle, so that no edge runs through a third node.

    The thicker an edge, the stronger the agreement or (dashed) the disagreement; the strongest lie on top. `numbered`
    nodes carry the numbers of the table in place of names, and edges no values.
    """
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.set(xlim=(-REACH, REACH), ylim=(-REACH, REACH))
    size = len(names)
    angles = np.pi / 2 - 2 * np.pi * (np.arange(size) + 1) / size
    places = np.column_stack([np.cos(angles), np.sin(angles)])
    shades = _shades()
    for i, j, tau in sorted(graph.edges(data="tau"), key=lambda edge: abs(edge[2])):
        dashes = "-" if tau >= 0 else (0, (3, 1.5))
        across, up = places[[i, j]].T
        axes.plot(
            across,
            up,
            linestyle=dashes,
            linewidth=style.stroke(0.6 + 7 * abs(tau)),
            color=shades.to_rgba(tau),
            zorder=1,
        )
    if not numbered:
        for i, j, tau in graph.edges(data="tau"):
            opposite = size % 2 == 0 and abs(i - j) == size // 2  # these meet in the middle of the circle
            _value(axes, places[i] + (places[j] - places[i]) * (0.36 if opposite else 0.5), tau)
    looks: dict[str, Any] = {
        "s": 480 * style.medium().stroke ** 2,
        "edgecolors": style.INK,
        "linewidths": style.stroke(1.5),
        "zorder": 3,
    }
    axes.scatter(*places[:-1].T, color=style.PAPER, **looks)
    axes.scatter(*places[-1:].T, color=style.INK, marker="s", **looks)
    for place, (across, up) in enumerate(places):
        if numbered and place < size - 1:
            _text(axes, (across, up), str(place + 1), ha="center", va="center", zorder=4)
            continue
        side = "center" if abs(across) < 0.3 else "left" if across > 0 else "right"
        height = "bottom" if up > 0.9 else "top" if up < -0.9 else "center"
        _text(axes, (across * 1.12, up * 1.12), names[place], ha=side, va=height)


def _text(axes: Axes, place: Any, text: str, **looks: Any) -> None:
    axes.text(place[0], place[1], text, **{"fontsize": style.size(), "color": style.INK, **looks})


def _value(axes: Axes, place: Any, value: float) -> None:
    box = {"boxstyle": "round,pad=0.15", "facecolor": style.PAPER, "edgecolor": "none"}
    _text(axes, place, _short(value), ha="center", va="center", fontsize=style.size(-1.5), bbox=box)


def _short(value: float) -> str:
    return f"{value + 0.0:.2f}".replace("-", "\N{MINUS SIGN}")


def _table(axes: Axes, names: list[str], graph: nx.Graph) -> None:
    """All values, the outcome in the last row; columns by the stakeholders' numbers."""
    shades = _shades()
    lower = np.full((len(names) - 1, len(names) - 1), np.nan)
    for i, j, tau in graph.edges(data="tau"):
        lower[j - 1, i] = tau
    axes.imshow(lower, cmap=shades.cmap, norm=shades.norm, aspect="auto")
    axes.grid(False)
    for side in axes.spines.values():
        side.set_visible(False)
    size = style.size(-2.5 if len(names) <= 9 else -4)
    for (row, column), value in np.ndenumerate(lower):
        if not np.isnan(value):
            colour = "#ffffff" if abs(value) > 0.65 else "#000000"
            _text(
                axes,
                (column, row),
                _short(value).replace("0.", "."),
                ha="center",
                va="center",
                fontsize=size,
                color=colour,
            )
    # The first stakeholder has no row below the diagonal; its name stands in an empty one above.
    axes.set_ylim(len(names) - 1.5, -1.5)
    rows = [*(f"{name}  {number}" for number, name in enumerate(names[:-1], start=1)), names[-1]]
    axes.set_yticks(range(-1, len(names) - 1), rows, fontsize=style.size(-2), color=style.INK)
    axes.set_xticks(range(len(names) - 1), [str(place + 1) for place in range(len(names) - 1)], color=style.INK)
    axes.tick_params(length=0, labelsize=style.size(-2))
