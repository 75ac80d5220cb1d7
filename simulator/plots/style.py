"""How every figure looks: size, colours, lines and the text that may stand in it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from simulator.runs import Run

WIDTH = 8.0
HEIGHT = 4.6
DPI = 150
FONT_SIZE = 11
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
    """A figure of the common width without pyplot's state, and its axes in reading order."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), dpi=DPI, layout="constrained", facecolor=PAPER)
    axes = figure.subplots(rows, columns, squeeze=False, **layout)
    flat = list(axes.ravel())
    for one in flat:
        one.set_facecolor("none")
        for side in ("top", "right"):
            one.spines[side].set_visible(False)
        for side in ("bottom", "left"):
            one.spines[side].set_color(FAINT)
        one.tick_params(colors=INK, labelsize=FONT_SIZE - 1, color=FAINT)
        one.grid(True, axis="y", color=FAINT, alpha=0.3, linewidth=0.6)
        one.set_axisbelow(True)
    return figure, flat


def title(figure: Figure, text: str, run: Run) -> None:
    """The figure's title, with the run's scenario, mediator, model and seed in small letters below it."""
    parts = [run.title]
    if "mediator" in run.rounds and len(run.rounds):
        parts.append(str(run.rounds["mediator"].iloc[-1]))
    if run.manifest.get("model"):
        parts.append(str(run.manifest["model"]))
    if run.manifest.get("seed") is not None:
        parts.append(f"seed {run.manifest['seed']}")
    below = "  ·  ".join(label(part, 34) for part in parts)
    figure.suptitle(text, x=0.01, ha="left", fontsize=FONT_SIZE + 2, fontweight="bold", color=INK)
    figure.supxlabel(below, x=0.01, ha="left", fontsize=FONT_SIZE - 3, color=FAINT)


def name_axes(axes: Axes, x: str = "", y: str = "") -> None:
    """Label the axes, with units."""
    axes.set_xlabel(x, fontsize=FONT_SIZE, color=INK)
    axes.set_ylabel(y, fontsize=FONT_SIZE, color=INK)


def legend(
    target: Figure | Axes, handles: Sequence[Any], labels: Sequence[str], *, columns: int = 1, **place: Any
) -> None:
    """A legend beside the axes."""
    target.legend(
        handles,
        labels,
        ncols=columns,
        frameon=False,
        fontsize=FONT_SIZE - 1.5,
        labelcolor=INK,
        handlelength=2.6,
        **{"loc": "outside right upper", **place},
    )


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
    axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", va="center", fontsize=FONT_SIZE, color=FAINT)


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
