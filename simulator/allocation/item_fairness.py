"""How fairly protected items were treated in the last delivered lists: the fairness that SCRUF-D's agents report.

All take `protected` `(..., T, k)`, whether each place of the last T lists held a protected item, best place first, and
give `(...)` in 0..1; 1 = the target is met, or there is no list yet.

Source: R. Burke et al., Multi-agent social choice for dynamic fairness-aware recommendation, UMAP 2022; SCRUF-D,
https://github.com/that-recsys-lab/scruf_d.
"""

from __future__ import annotations

import numpy as np

from simulator.profile import Bools, Floats


def proportional_item(protected: Bools, target: float) -> Floats:
    """min(1, share of protected items in the lists / target)."""
    return _of_target(protected, protected.mean(axis=(-2, -1)) if protected.size else np.ones(()), target)


def reciprocal_rank(protected: Bools, target: float) -> Floats:
    """min(1, mean over lists of 1 / place of the first protected item / target); a list without any counts 0."""
    if not protected.size:
        return _of_target(protected, np.ones(()), target)
    places = 1 / np.arange(1, protected.shape[-1] + 1)
    return _of_target(protected, (protected * places).max(axis=-1).mean(axis=-1), target)


def disparate_exposure(protected: Bools, target: float = 1.0, group_sizes: tuple[float, float] | None = None) -> Floats:
    """min(1, exposure per protected item / exposure per other item / target).

    An item at place r has the exposure 1 / log2(r + 1). 1 where no other item has any.

    Args:
        protected: as above.
        target: the ratio that is fair.
        group_sizes: how many protected items and other items there are; by default how many were delivered, counted as
            often as they were.

    Source of the exposure: A. Singh and T. Joachims, Fairness of exposure in rankings, KDD 2018.
    """
    if not protected.size:
        return _of_target(protected, np.ones(()), target)
    exposure = 1 / np.log2(np.arange(2, protected.shape[-1] + 2))
    shown = np.stack([protected, ~protected])
    sums = (shown * exposure).sum(axis=(-2, -1))
    sizes = shown.sum(axis=(-2, -1)) if group_sizes is None else np.reshape(group_sizes, (2, *[1] * (sums.ndim - 1)))
    each = sums / np.maximum(sizes, 1)
    return _of_target(protected, np.where(each[1] > 0, each[0] / np.where(each[1] > 0, each[1], 1.0), np.inf), target)


def _of_target(protected: Bools, reached: Floats, target: float) -> Floats:
    if target <= 0:
        raise ValueError(f"target is {target}, it must be above 0")
    if not protected.size:
        return np.ones(protected.shape[:-2])
    return np.asarray(np.minimum(1.0, reached / target))
