"""How do the annotators err, and was it found out?"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from simulator.llmfosa.crowds.matching import match
from simulator.plots import style
from simulator.profile import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage

MOST_ACROSS = 6
MOST_NUMBERED = 6  # values up to which every cell carries its number


def confusion(
    estimated: ArrayLike,
    true: ArrayLike | None,
    personas: Sequence[str],
    values: Sequence[str],
    *,
    source: str = "",
) -> Figure:
    """Confusion matrices, a column a persona: estimated above, true below where they are known.

    Args:
        estimated: `(P, A, A)`; drawn after matching its latent values with the true matrices.
        true: of the same shape, or None.
        personas: P names.
        values: A names.
        source: what was annotated, in small letters below.

    Raises:
        ValueError: numbers of personas or values do not fit the matrices.
    """
    found = np.asarray(estimated, dtype=np.float64)
    if found.shape != (len(personas), len(values), len(values)):
        raise ValueError(f"matrices {found.shape} do not fit {len(personas)} personas and {len(values)} values")
    kinds: dict[str, Floats] = {"estimated": found}
    said = [source] if source else []
    if true is not None:
        known = np.asarray(true, dtype=np.float64)
        matched, error = match(found, known)
        kinds = {"estimated": matched, "true": known}
        said.append(f"mean absolute error {error:.3f} over all entries")
    numbered = len(values) <= MOST_NUMBERED
    on = style.medium()
    across = min(max(len(personas), 1), MOST_ACROSS // 2 if on.narrow else MOST_ACROSS if numbered else MOST_ACROSS - 2)
    down = -(-len(personas) // across)
    # The panels are squares: what remains of the width decides the height.
    letters = style.size() / 72
    side = min((on.width - (9 if numbered else 14) * letters) / across - 0.1, 2.2)
    below = (3 if numbered else 5) * letters
    tall = 3 * letters + down * (len(kinds) * (side + 0.1) + below + 2.4 * letters)
    figure, axes = style.new_figure(down * len(kinds), across, height=tall / on.height)
    style.heading(figure, "How the annotators err", *said)
    for one in axes:
        one.set_axis_off()
    names = [_wrapped(name, side) for name in style.labels(list(personas), 40)]
    short = style.labels(list(values), 12)
    image = None
    for place, name in enumerate(names):
        row, column = divmod(place, across)
        for kind, (label, matrices) in enumerate(kinds.items()):
            own = axes[(row * len(kinds) + kind) * across + column]
            image = _draw(own, matrices[place], short, numbered=numbered)
            own.tick_params(labelleft=column == 0, labelbottom=kind == len(kinds) - 1)
            looks: dict[str, Any] = {"fontsize": style.size(-2), "color": style.INK}
            if kind == 0:
                own.set_title(name, **looks)
            if column == 0:
                own.set_ylabel(f"{label} matrix\ntrue value" if true is not None else "true value", **looks)
            if kind == len(kinds) - 1:
                own.set_xlabel("label given", **looks)
    if image is not None and not numbered:
        bar = figure.colorbar(image, ax=axes, shrink=0.5, aspect=24, ticks=(0, 0.5, 1))
        bar.set_label("probability of the label", color=style.INK, fontsize=style.size(-1))
        bar.ax.tick_params(colors=style.INK, labelsize=style.size(-2))
    return figure


def _wrapped(name: str, inches: float) -> str:
    """A name on at most two lines of a panel's width."""
    letters = max(int(inches * 72 / (0.5 * style.size(-2))), 6)
    return "\n".join(wrap(name, letters, max_lines=2, placeholder="…"))


def _draw(axes: Axes, matrix: Floats, values: Sequence[str], *, numbered: bool) -> AxesImage:
    axes.set_axis_on()
    axes.grid(False)
    for side in axes.spines.values():
        side.set_visible(False)
    image = axes.imshow(matrix, cmap="Blues", vmin=0, vmax=1)
    places = range(0, len(values), -(-len(values) // 12))
    shown = [values[place] for place in places]
    turned = not numbered or sum(map(len, shown)) > 14
    axes.set_xticks(
        places,
        shown,
        fontsize=style.size(-3),
        rotation=60 if turned else 0,
        ha="right" if turned else "center",
        rotation_mode="anchor" if turned else "default",
    )
    axes.set_yticks(places, shown, fontsize=style.size(-3))
    axes.tick_params(length=0)
    for (row, column), value in np.ndenumerate(matrix) if numbered else ():
        axes.text(
            column,
            row,
            f"{value:.2f}".replace("0.", "."),
            ha="center",
            va="center",
            fontsize=style.size(-2.5),
            color=style.PAPER if value > 0.55 else style.INK,
        )
    return image
