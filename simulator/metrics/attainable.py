"""A slate against all slates of its size: what fairness costs, whether all could have more, and how much more.

A slate is worth to stakeholder i the mean utility of its items: U_i(W) = (1/k) sum_{a in W} u_i(a). Shapes: utilities
`(n, m)`, slate `(k,)` as item indices.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.outcome import TOLERANCE
from simulator.profile import Floats, Ints


def price_of_fairness(utilities: ArrayLike, slate: ArrayLike) -> float:
    """(max_W sum_i U_i(W) - sum_i U_i(slate)) / max_W sum_i U_i(W), in 0..1; nan if nothing is worth anything.

    Source: D. Bertsimas, V. Farias and N. Trichakis, The price of fairness, Operations Research, 2011.
    """
    worth = np.asarray(utilities, dtype=np.float64).sum(axis=0)
    chosen = np.asarray(slate, dtype=np.int64)
    most = np.sort(worth)[len(worth) - len(chosen) :].sum()
    return float(max(0.0, (most - worth[chosen].sum()) / most)) if most > 0 else float("nan")


def dominating_swaps(utilities: ArrayLike, slate: ArrayLike) -> Ints:
    """Pairs (item of the slate, other item), `(s, 2)`, whose exchange harms nobody and helps somebody."""
    values = np.asarray(utilities, dtype=np.float64)
    chosen = np.asarray(slate, dtype=np.int64)
    others = np.setdiff1d(np.arange(values.shape[1]), chosen)
    gain = values[:, None, others] - values[:, chosen, None]  # (n, k, m - k)
    better = (gain >= -TOLERANCE).all(axis=0) & (gain > TOLERANCE).any(axis=0)
    out, into = np.nonzero(better)
    return np.stack([chosen[out], others[into]], axis=1)


def dominating_slate(utilities: ArrayLike, slate: ArrayLike) -> Ints | None:
    """The slate `(k,)` that harms nobody, helps somebody and helps most in sum; None if there is none.

    Exact, by an integer program: max sum_i U_i(W) over slates of the same size with U_i(W) >= U_i(slate). None means
    that the slate is Pareto efficient.
    """
    values = np.asarray(utilities, dtype=np.float64)
    chosen = np.asarray(slate, dtype=np.int64)
    own = values[:, chosen].sum(axis=1)
    found = _best_slate(values, len(chosen), own, common=False)
    if found is None or not (values[:, found].sum(axis=1) > own + TOLERANCE * len(chosen)).any():
        return None
    return found


def is_pareto_efficient(utilities: ArrayLike, slate: ArrayLike) -> bool:
    """Whether no slate of the same size harms nobody and helps somebody; exact, by an integer program."""
    return dominating_slate(utilities, slate) is None


def frontier_distance(utilities: ArrayLike, slate: ArrayLike) -> float:
    """max_W min_i U_i(W) - U_i(slate): how much more everybody could have at once; 0 = weakly Pareto efficient.

    The additive epsilon indicator of the slate against the attainable frontier; exact, by an integer program.
    Source: E. Zitzler et al., Performance assessment of multiobjective optimizers, 2003 (the indicator).
    """
    values = np.asarray(utilities, dtype=np.float64)
    chosen = np.asarray(slate, dtype=np.int64)
    own = values[:, chosen].sum(axis=1)
    found = _best_slate(values, len(chosen), own, common=True)
    if found is None or not len(values):
        return 0.0
    return float(max(0.0, (values[:, found].sum(axis=1) - own).min() / len(chosen)))


def _best_slate(values: Floats, k: int, least: Floats, *, common: bool) -> Ints | None:
    """The slate with the largest sum of gains over `least`, none negative, or with the largest common gain."""
    from scipy.optimize import LinearConstraint, milp

    n, m = values.shape
    cost = np.append(np.zeros(m), -1.0) if common else np.append(-values.sum(axis=0), 0.0)
    gains = np.column_stack([values, -np.full(n, float(common))])  # the last variable is the common gain
    size = np.append(np.ones(m), 0.0)[None, :]
    solved = milp(
        cost,
        constraints=[LinearConstraint(gains, lb=least - TOLERANCE), LinearConstraint(size, k, k)],
        integrality=np.append(np.ones(m), 0),
        bounds=(0, np.append(np.ones(m), float(k) * max(1.0, float(np.abs(values).max(initial=0.0))))),
        options={"mip_rel_gap": 0},
    )
    return None if solved.x is None else np.flatnonzero(solved.x[:m].round() > 0)


@metric("price_of_fairness", scope="collective", better="lower")
def round_price_of_fairness(view: Evaluation) -> float:
    """Share of the largest sum of utilities of a slate of k items that the delivered one gives up."""
    return price_of_fairness(view.utilities, view.slate)


@metric("dominating_swaps", scope="collective", better="lower")
def round_dominating_swaps(view: Evaluation) -> float:
    """How many exchanges of one delivered item harm no stakeholder and help some; 0 where the slate is efficient."""
    return float(len(dominating_swaps(view.utilities, view.slate)))


@metric("pareto_efficient", scope="collective")
def round_pareto_efficient(view: Evaluation) -> float:
    """1 if no slate of k items harms no stakeholder and helps some, else 0; an integer program every round."""
    return float(is_pareto_efficient(view.utilities, view.slate))


@metric("frontier_distance", scope="collective", better="lower")
def round_frontier_distance(view: Evaluation) -> float:
    """How much more utility every stakeholder could have at once in another slate; an integer program every round."""
    return frontier_distance(view.utilities, view.slate)
