"""How far annotators agree beyond chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.llmfosa.crowds.votes import votes_of
from simulator.profile import Floats


def fleiss_kappa(labels: ArrayLike) -> float:
    """Fleiss' kappa (P - P_e) / (1 - P_e) of labels `(n, P)` with -1 for none.

    P is the mean over users of sum_k n_uk (n_uk - 1) / (n_u (n_u - 1)), P_e the sum of squared mean shares of the
    values. Users with fewer than two labels do not count; where all have equally many this is Fleiss' own figure, else
    its usual extension, every user with the same weight. nan if no user counts, or if only one value was given.

    Raises:
        ValueError: a label is below -1.

    Source: J. L. Fleiss, Measuring nominal scale agreement among many raters, Psychological Bulletin 76(5), 1971.
    """
    counts = _pairable(labels)
    cast = counts.sum(axis=1)
    if not len(counts):
        return float("nan")
    observed = ((counts**2).sum(axis=1) - cast) / (cast * (cast - 1))
    expected = float(((counts / cast[:, None]).mean(axis=0) ** 2).sum())
    return _beyond(float(1 - observed.mean()), 1 - expected)


def krippendorff_alpha(labels: ArrayLike) -> float:
    """Krippendorff's alpha 1 - D_o / D_e for nominal labels `(n, P)` with -1 for none.

    D_o is the share of unequal pairs within users, each user's pairs weighted by 1 / (n_u - 1); D_e that of all pairs
    of the labels that can be paired. nan if there are none, or if only one value was given.

    Raises:
        ValueError: a label is below -1.

    Source: K. Krippendorff, Content Analysis, 2nd edition, Sage, 2004, chapter 11.
    """
    counts = _pairable(labels)
    cast = counts.sum(axis=1)
    n = float(cast.sum())
    if not n:
        return float("nan")
    unequal = (cast**2 - (counts**2).sum(axis=1)) / (cast - 1)
    totals = counts.sum(axis=0)
    return _beyond(float(unequal.sum()) / n, float(n**2 - (totals**2).sum()) / (n * (n - 1)))


def _pairable(labels: ArrayLike) -> Floats:
    """Numbers of labels by user and value `(n, A)`, of the users with at least two."""
    given = np.asarray(labels)
    counts = votes_of(given, max(int(given.max(initial=0)) + 1, 2)).sum(axis=1)
    return np.asarray(counts[counts.sum(axis=1) >= 2])


def _beyond(disagreement: float, by_chance: float) -> float:
    return 1 - disagreement / by_chance if by_chance > 1e-12 else float("nan")
