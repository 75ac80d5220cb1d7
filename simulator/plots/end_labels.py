"""Names at the right end of lines, apart from each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from simulator.plots import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def name_ends(
    axes: Axes, ends: Sequence[tuple[float, float]], texts: Sequence[str], heading: str = "", *, inches: float
) -> None:
    """Write names at the right, tied to the ends of their lines, each as near to its own as the others leave room.

    Args:
        axes: its limits are final.
        ends: where each line ends, in data; the n-th in the n-th line style.
        texts: the printable names.
        heading: what the names are, above them.
        inches: about how tall the axes are, which says how near two names may come.
    """
    from matplotlib.transforms import ScaledTranslation, blended_transform_factory

    bottom, top = axes.get_ylim()
    point = abs(top - bottom) / (inches * 72)
    gap, low, high = 1.3 * style.size(-1) * point, min(bottom, top), max(bottom, top)
    heights = spread([end[1] for end in ends], gap=gap, low=low + gap / 2, high=high - gap / 2)
    margin = ScaledTranslation(style.stroke(26) / 72, 0, axes.figure.dpi_scale_trans)
    beside = blended_transform_factory(axes.transAxes, axes.transData) + margin
    for place, (text, end, height) in enumerate(zip(texts, ends, heights, strict=True)):
        axes.annotate(
            text,
            end,
            xytext=(1, height),
            textcoords=beside,
            va="center",
            fontsize=style.size(-1),
            color=style.INK,
            arrowprops={
                "arrowstyle": "-",
                "color": style.line_style(place)["color"],
                "linewidth": style.stroke(0.9),
                "linestyle": ":",  # a solid one would read as a value held to the end
                "alpha": 0.6,
                "shrinkB": 3,
                "relpos": (0, 0.5),
            },
            annotation_clip=False,
        )
    if heading:
        raised = ScaledTranslation(0, 4 / 72, axes.figure.dpi_scale_trans)
        axes.text(
            1, 1, heading, transform=axes.transAxes + margin + raised, fontsize=style.size(-2.5), color=style.FAINT
        )


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Heights as near to the wanted ones as a gap between neighbours allows, inside low..high where they fit.

    Neighbours that are too near are pooled around their common mean (isotonic regression of `wanted - rank * gap`).
    """
    order = sorted(range(len(wanted)), key=lambda place: (wanted[place], place))
    high = max(high, low + gap * (len(wanted) - 1))
    pools: list[tuple[float, int]] = []
    for rank, place in enumerate(order):
        pools.append((wanted[place] - rank * gap, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (upper, count), (lower, other) = pools[-2:]
            pools[-2:] = [((upper * count + lower * other) / (count + other), count + other)]
    flat = [base for base, count in pools for _ in range(count)]
    heights = [0.0] * len(wanted)
    for rank, place in enumerate(order):
        heights[place] = min(max(flat[rank], low), high - gap * (len(wanted) - 1)) + rank * gap
    return heights
