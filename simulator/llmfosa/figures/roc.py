"""What does an attacker learn of the attribute?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from simulator.llmfosa.measures.attackers import Attack
from simulator.llmfosa.measures.roc import Curve
from simulator.plots import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLES = {"logistic": "logistic regression", "mlp": "neural network"}
GRID = np.linspace(0, 1, 201)


def roc(attacks: Mapping[str, Attack | Sequence[Attack]], *, source: str = "") -> Figure:
    """A panel a kind of attacker, a line a method: mean ROC curve over values and seeds, with the mean AUC.

    Args:
        attacks: by method, one for each seed.
        source: what was attacked, in small letters below.
    """
    by_method = {method: [each] if isinstance(each, Attack) else list(each) for method, each in attacks.items()}
    by_method = {method: each for method, each in by_method.items() if each}
    kinds = list(dict.fromkeys(kind for each in by_method.values() for kind in each[0].auc))
    stacked = style.medium().narrow
    rows, columns = (max(len(kinds), 1), 1) if stacked else (1, max(len(kinds), 1))
    figure, axes = style.new_figure(rows, columns, height=10.5 if stacked else 3.9, sharex=True, sharey=True)
    style.heading(
        figure,
        "What an attacker learns of the attribute",
        *filter(None, [source, "AUC: the larger of AUC and 1 - AUC"]),
    )
    if not kinds:
        style.say_instead(axes[0], "nothing was attacked")
        return figure
    names = style.labels(list(by_method))
    handles = []
    for place, kind in enumerate(kinds):
        own = axes[place]
        drawn = []
        for line, each in enumerate(by_method.values()):
            looks = style.line_style(line) | {"marker": "none"}
            rates = np.mean([_at(curve) for one in each for curve in one.curves[kind].values()], axis=0)
            found = float(np.mean([one.auc[kind] for one in each]))
            drawn += own.plot(
                np.append(0, GRID), np.append(0, rates), **looks, linewidth=style.stroke(1.8), label=f"{found:.3f}"
            )
        (chance,) = own.plot([0, 1], [0, 1], color=style.FAINT, linewidth=style.stroke(1), linestyle=":")
        handles = [*drawn, chance]
        own.set_title(TITLES.get(kind, style.label(kind)), fontsize=style.size(), color=style.INK)
        own.set_aspect("equal")
        own.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), xticks=(0, 0.5, 1), yticks=(0, 0.25, 0.5, 0.75, 1))
        box = own.legend(
            handles=drawn, title="AUC", loc="lower right", frameon=False, fontsize=style.size(-2), labelcolor=style.INK
        )
        box.get_title().set_fontsize(style.size(-2))
        style.name_axes(own, "false positives, share" if place == len(kinds) - 1 or not stacked else "")
    axes[0].set_ylabel("true positives, share", fontsize=style.size(), color=style.INK)
    style.legend(figure, handles, [*names, "chance"])
    return figure


def _at(curve: Curve) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.asarray(np.interp(GRID, curve.false_positive, curve.true_positive))
