"""Are the groups apart in what was learned?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from simulator.plots import style
from simulator.profile import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def pca(embeddings: Floats) -> tuple[Floats, Floats]:
    """Coordinates on the first two principal components `(n, 2)`, and the shares of variance that they carry."""
    centred = embeddings - embeddings.mean(axis=0)
    left, spread, right = np.linalg.svd(centred, full_matrices=False)
    # A component's sign is arbitrary: its largest weight is made positive, so that a figure can be drawn again.
    signs = np.sign(right[np.arange(len(right)), np.abs(right).argmax(axis=1)])
    shares = spread**2 / max(float((spread**2).sum()), 1e-300)
    two: Floats = np.zeros((len(centred), 2))
    two[:, : len(spread)] = (left * spread * np.where(signs == 0, 1.0, signs))[:, :2]
    return two, np.append(shares, [0.0, 0.0])[:2]


def tsne(embeddings: Floats, seed: int) -> Floats:
    """t-SNE of standardised embeddings in the plane `(n, 2)`, started from their principal components.

    Source: L. van der Maaten and G. Hinton, Visualizing data using t-SNE, JMLR 9, 2008.

    Raises:
        ModuleNotFoundError: scikit-learn is missing; it comes with the extra `llmfosa`.
    """
    from sklearn.manifold import TSNE

    spread = embeddings.std(axis=0)
    scaled = (embeddings - embeddings.mean(axis=0)) / np.where(spread > 1e-12, spread, 1.0)
    perplexity = min(30.0, (len(scaled) - 1) / 3)
    planned = TSNE(2, init=pca(scaled)[0] * 1e-4, perplexity=perplexity, random_state=seed, n_jobs=1)
    return np.asarray(planned.fit_transform(scaled), dtype=np.float64)


def projection(
    embeddings: Mapping[str, ArrayLike],
    codes: ArrayLike,
    values: Sequence[str],
    *,
    seed: int = 0,
    most: int = 1000,
    source: str = "",
) -> Figure:
    """Users by value of the attribute, a column an embedding: principal components above, t-SNE below.

    Args:
        embeddings: `(n, d)` each, by name, such as "s (sensitive)" and "p (preference)".
        codes: `(n,)` values; users with -1 are not drawn.
        values: A names.
        seed: of the users that are drawn and of t-SNE.
        most: users that are drawn; a sample if there are more.
        source: what they are of, in small letters below.

    Raises:
        ValueError: an embedding does not fit the codes.
    """
    given = {name: np.asarray(each, dtype=np.float64) for name, each in embeddings.items()}
    labels = np.asarray(codes, dtype=np.int64)
    for name, each in given.items():
        if each.ndim != 2 or len(each) != len(labels):
            raise ValueError(f"embedding '{name}' of shape {each.shape} does not fit codes of shape {labels.shape}")
    draw = np.random.default_rng(seed)
    known = np.flatnonzero(labels >= 0)
    users = np.sort(draw.choice(known, most, replace=False)) if len(known) > most else known
    order = draw.permutation(len(users))  # so that no group lies on top of another
    figure, axes = style.new_figure(2, max(len(given), 1), height=7.6)
    told = f"{len(users)} of {len(known)} users" if len(users) < len(known) else f"{len(users)} users"
    style.heading(figure, "Whether the groups are apart in what was learned", *filter(None, [source, told]))
    for one in axes:
        one.grid(False)
        one.set_xticks([])
        one.set_yticks([])
    if len(users) < 4 or not given:
        for one in axes:
            style.say_instead(one, "fewer than four users to draw")
        return figure
    shades = [style.line_style(place)["color"] for place in range(len(values))]
    colours = np.array(shades)[labels[users][order]]
    for column, (name, each) in enumerate(given.items()):
        above, below = axes[column], axes[len(given) + column]
        flat, shares = pca(each[users])
        for one, places in ((above, flat), (below, tsne(each[users], seed))):
            one.scatter(
                places[order, 0], places[order, 1], c=colours, s=9 * style.medium().stroke, alpha=0.55, linewidths=0
            )
        above.set_title(style.label(name, 40), fontsize=style.size(), color=style.INK)
        style.name_axes(above, f"component 1 ({shares[0]:.0%} of variance)", f"component 2 ({shares[1]:.0%})")
        style.name_axes(below, "t-SNE 1", "t-SNE 2")
        for one in (above, below):
            one.xaxis.label.set_fontsize(style.size(-2))
            one.yaxis.label.set_fontsize(style.size(-2))
    from matplotlib.lines import Line2D

    present = [place for place in range(len(values)) if (labels[users] == place).any()]
    handles = [Line2D([], [], color=shades[place], marker="o", linestyle="none") for place in present]
    style.legend(figure, handles, style.labels([values[place] for place in present]))
    return figure
