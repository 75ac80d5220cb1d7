"""Proportionality of packages: how many members find enough of what they like best in the slate?"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.metrics.parameters import Count, Share
from simulator.profile import Bools


def is_satisfied(utilities: ArrayLike, slate: ArrayLike, share: float = 0.1, items: int = 1) -> Bools:
    """Whether the slate holds at least `items` of each member's own best `share` of all items; `(n,)`.

    The own best are ceil(share m), at least 1; what is worth as much as the last of them is among them. With items = 1
    this is single proportionality, with more it is m-proportionality.

    Shapes: utilities `(n, m)`, slate `(k,)`. Source: D. Serbos et al., Fairness in package-to-group recommendations,
    WWW 2017.
    """
    values = np.asarray(utilities, dtype=np.float64)
    wanted = max(1, int(np.ceil(share * values.shape[1] - 1e-9)))
    threshold = np.partition(values, -wanted, axis=1)[:, -wanted]
    return np.asarray((values[:, np.asarray(slate)] >= threshold[:, None]).sum(axis=1) >= items)


@metric("package_proportionality", scope="collective")
def package_proportionality(view: Evaluation, *, share: Share = 0.1, items: Count = 1) -> float:
    """Share of the stakeholders that find `items` of their own best `share` of the candidates in the slate."""
    return float(is_satisfied(view.utilities, view.slate, share, items).mean())
