"""How every figure looks: size, colours, lines and the text that may stand in it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from simulator.plots.changes import deciders
from simulator.plots.medium import SCREEN
from simulator.plots.medium import medium as medium

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from simulator.runs import Run

HEIGHT = 4.6
FONT_SIZE = SCREEN.font
# Okabe and Ito's palette, safe for colour-blind readers; yellow comes last, it is faint on white.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (1.5, 1.2)), (0, (7, 2, 1.5, 2)), "-", (0, (3, 1.5)), (0, (9, 3)), "-")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "p")
# Black, white and grey that nothing else uses, so that the report can swap them for its own in the dark.
INK = "#1b1b1c"
PAPER = "#fefeff"
FAINT = "#8c8c8d"
LONGEST_LABEL = 26
_ABSENT = "\N{WHITE SQUARE}"


def new_figure(rows: int = 1, columns: int = 1, *, height: float = HEIGHT, **layout: Any) -> tuple[Figure, list[Axes]]:
    """A figure of the medium's width without pyplot's state, and its axes in reading order.

    Args:
        rows, columns: of panels.
        height: in inches, as it is on a screen.
        **layout: more for `Figure.subplots`.
    """
    from matplotlib.figure import Figure

    on = medium()
    figure = Figure(figsize=(on.width, height * on.height), dpi=on.dpi, layout="constrained", facecolor=PAPER)
    axes = figure.subplots(rows, columns, squeeze=False, **layout)
    flat = list(axes.ravel())
    for one in flat:
        one.set_facecolor("none")
        for side in ("top", "right"):
            one.spines[side].set_visible(False)
        for side in ("bottom", "left"):
            one.spines[side].set_color(FAINT)
            one.spines[side].set_linewidth(stroke(0.8))
        one.tick_params(colors=INK, labelsize=size(-1), color=FAINT, width=stroke(0.8), length=stroke(3.5))
        one.grid(True, axis="y", color=FAINT, alpha=0.3, linewidth=0.6)
        one.set_axisbelow(True)
    return figure, flat


def size(more: float = 0) -> float:
    """The medium's font size in points, for letters so many points larger (or smaller) than the axes' on a screen."""
    on = medium()
    return max(on.font * (1 + more / SCREEN.font), on.smallest)


def stroke(width: float) -> float:
    """A line's width or a marker's size, in points on a screen, for the medium."""
    return width * medium().stroke


def title(figure: Figure, text: str, run: Run) -> None:
    """The figure's title, with the run's scenario, mediators, model and seed in small letters below it.

    A figure for a paper has neither: its caption stands in the paper.
    """
    if not medium().titled:
        return
    parts = [run.title]
    if rules := deciders(run):
        parts.append(", then ".join(label(rule, 34) for rule in rules[:3]) + (", ..." if len(rules) > 3 else ""))
    if run.manifest.get("model"):
        parts.append(str(run.manifest["model"]))
    if run.manifest.get("seed") is not None:
        parts.append(f"seed {run.manifest['seed']}")
    heading(figure, text, *parts)


def heading(figure: Figure, text: str, *below: str) -> None:
    """A title, with small letters at the foot of the figure; neither in a figure for a paper."""
    if not medium().titled:
        return
    figure.suptitle(text, x=0.01, ha="left", fontsize=size(2), fontweight="bold", color=INK)
    figure.supxlabel("  ·  ".join(label(part, 70) for part in below), x=0.01, ha="left", fontsize=size(-3), color=FAINT)


def name_axes(axes: Axes, x: str = "", y: str = "") -> None:
    """Label the axes, with units."""
    axes.set_xlabel(x, fontsize=size(), color=INK)
    axes.set_ylabel(y, fontsize=size(), color=INK)


def legend(
    target: Figure | Axes, handles: Sequence[Any], labels: Sequence[str], *, columns: int = 1, **place: Any
) -> None:
    """A legend beside the axes; of a figure in a narrow column, below them, for which the figure grows."""
    looks: dict[str, Any] = {"loc": "outside right upper", **place}
    if medium().narrow and "outside" in looks["loc"]:
        columns = 2
        looks = {"loc": "outside lower center", "columnspacing": 1.0, "handletextpad": 0.5}
        deepest = [max((text.count("\n") + 1 for text in pair), default=1) for pair in _pairs(labels)]
        grown = sum(deepest) * size(-1.5) * 1.32 / 72 + 0.08
        figure: Any = target
        figure.set_figheight(figure.get_figheight() + grown)
    target.legend(
        handles,
        labels,
        ncols=columns,
        frameon=False,
        fontsize=size(-1.5),
        labelcolor=INK,
        handlelength=2.6,
        **looks,
    )


def _pairs(labels: Sequence[str]) -> list[tuple[str, ...]]:
    """The lines of a legend in two columns, which is filled column by column."""
    half = -(-len(labels) // 2)
    return [tuple(labels[row::half]) for row in range(half)]


def line_style(place: int) -> dict[str, Any]:
    """Colour, dashes and marker of the stakeholder (or item) at this place; a new combination for each of 56."""
    return {
        "color": PALETTE[place % len(PALETTE)],
        "linestyle": DASHES[(place + place // len(PALETTE)) % len(DASHES)],
        "marker": MARKERS[(place + place // len(PALETTE)) % len(MARKERS)],
    }


def say_instead(axes: Axes, text: str) -> None:
    """Write why there is nothing to draw in place of an empty panel."""
    axes.set_axis_off()
    axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", va="center", fontsize=size(), color=FAINT)


def labels(names: Sequence[str], longest: int = LONGEST_LABEL) -> list[str]:
    """One printable label for each name; equal labels of different names are numbered."""
    made: list[str] = []
    for name in names:
        text = plain = label(name, longest)
        count = 2
        while text in made:
            text, count = f"{plain} ({count})", count + 1
        made.append(text)
    return made


def label(text: str, longest: int = LONGEST_LABEL) -> str:
    """Foreign text as a figure can show it.

    White space is one space, characters that the font lacks are a square, marks that turn the text's direction are
    gone, long text is cut, and a dollar sign is a dollar sign, not mathematics.
    """
    glyphs = _glyphs()
    shown = "".join(
        " " if letter.isspace() else letter if ord(letter) in glyphs and letter.isprintable() else _stand_in(letter)
        for letter in str(text)[:1000]
    )
    shown = " ".join(shown.split())
    while _ABSENT * 2 in shown:
        shown = shown.replace(_ABSENT * 2, _ABSENT)
    if len(shown) > longest:
        shown = shown[: longest - 1].rstrip() + "…"
    return (shown or _ABSENT).replace("$", r"\$")


def _stand_in(letter: str) -> str:
    return _ABSENT if letter.isprintable() else ""


@cache
def _glyphs() -> frozenset[int]:
    """Code points that the figures' font has."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    return frozenset(get_font(findfont(FontProperties())).get_charmap())
