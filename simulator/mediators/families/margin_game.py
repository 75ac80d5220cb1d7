"""The game in which two players name an item each and the one with the majority wins the margin: its best lotteries."""

from __future__ import annotations

import numpy as np

from simulator.profile import Bools, Floats, Ints

_BARRIERS = 10.0 ** -np.arange(0.0, 14.0)
_STEPS = 50
_DECIMALS = 12
_CLEAR = 1e-9
_TIGHT = 1e-5


def maximal_lottery(margins: Floats) -> Floats:
    """Probabilities `(m,)` that no item beats on average: sum_b p(b) M(a, b) <= 0 for every item a.

    Where several lotteries are maximal, the one of greatest entropy, which treats alike what the margins treat alike.

    Args:
        margins: `(m, m)`, M(a, b) = -M(b, a).
    """
    core = top_cycle(margins > 0)
    probabilities = np.zeros(len(margins))
    probabilities[core] = _of_core(margins[np.ix_(core, core)].astype(np.float64))
    return probabilities


def top_cycle(beats: Bools) -> Ints:
    """The items of the smallest set whose members all beat everything outside, ascending; no maximal lottery leaves it.

    Args:
        beats: `(m, m)`, whether the row item beats the column item.
    """
    m = len(beats)
    order = np.argsort(beats.sum(axis=0) - beats.sum(axis=1), kind="stable")
    unbeaten = ~beats[np.ix_(order, order)]
    np.fill_diagonal(unbeaten, False)
    last = np.where(unbeaten.any(axis=1), m - 1 - unbeaten[:, ::-1].argmax(axis=1), -1)
    closed = np.maximum.accumulate(last) <= np.arange(m)
    return np.asarray(np.sort(order[: int(closed.argmax()) + 1]))


def _of_core(margins: Floats) -> Floats:
    m = len(margins)
    if m == 1:
        return np.ones(1)
    scale = np.abs(margins).max()
    if scale == 0:
        return np.full(m, 1 / m)
    game = margins / scale
    unique = _unique(game)
    if unique is not None:
        return unique
    lottery = _complementary(game)
    inside = lottery > 0.5
    probabilities = np.zeros(m)
    start = lottery[inside] / lottery[inside].sum()
    probabilities[inside] = _most_even(start, game[np.ix_(inside, inside)], game[np.ix_(~inside, inside)])
    return probabilities


def _unique(game: Floats) -> Floats | None:
    """The maximal lottery, if it is the only one: nearly always, and then it is found without the linear program.

    Some lottery p with losses z = -M p >= 0 is found by non-negative least squares. If p(a) > 0 or z(a) > 0 for every
    item, any other maximal lottery has no items but those of p and loses to none of them; so p is the only one if there
    is one solution to M p = 0 among them.
    """
    from scipy.optimize import nnls

    m = len(game)
    try:
        found, off = nnls(np.vstack([np.hstack([game, np.eye(m)]), np.repeat([1.0, 0.0], m)]), np.eye(m + 1)[m])
    except RuntimeError:  # too many steps
        return None
    inside, losing = found[:m] > _CLEAR, found[m:] > _CLEAR
    if off > _CLEAR or (inside == losing).any():
        return None
    solutions = _null_space(game[np.ix_(inside, inside)])
    if solutions.shape[1] != 1:
        return None
    probabilities = np.zeros(m)
    probabilities[inside] = solutions[:, 0] / solutions.sum()
    return probabilities


def _complementary(margins: Floats) -> Floats:
    """A maximal lottery, not normalised, with all the items that any maximal lottery has: at least 1 of each.

    Maximise sum of min(q, 1) + min(z, 1) subject to M q + z = 0, q, z >= 0. Some lottery has q(a) + z(a) > 0 for every
    item (A. J. Goldman and A. W. Tucker, Theory of linear programming, 1956), and scaled up it reaches 1 everywhere.
    """
    from scipy.optimize import linprog

    m = len(margins)
    unit = np.eye(m)
    gain = -np.concatenate([np.ones(m), np.zeros(m), np.ones(m), np.zeros(m)])
    bounds = [(0, 1)] * m + [(0, None)] * m
    found = linprog(
        gain, A_eq=np.hstack([margins, margins, unit, unit]), b_eq=np.zeros(m), bounds=bounds * 2, method="highs"
    )
    return np.asarray(found.x[:m] + found.x[m : 2 * m])


def _most_even(start: Floats, within: Floats, below: Floats) -> Floats:
    """The lottery of greatest entropy with `within @ p = 0` and `below @ p <= 0`, by Newton steps inside a barrier.

    Args:
        start: `(s,)` a lottery that is positive everywhere and satisfies `below @ p < 0`.
        within: `(s, s)` margins among its items.
        below: `(r, s)` margins of the other items against them.
    """
    free = _null_space(np.vstack([within, np.ones(len(start))]))
    if not free.shape[1]:
        return start
    # The barrier keeps the probabilities from 0, too: the entropy alone lets them fall to 1e-20 while it is high.
    bounds = np.vstack([below, -np.eye(len(start))])
    within_bounds = bounds @ free
    p = start
    for barrier in _BARRIERS:
        for _ in range(_STEPS):
            slack = -(bounds @ p)
            slope = free.T @ (-np.log(p) - 1) - barrier * within_bounds.T @ (1 / slack)
            bend = free.T @ ((1 / p)[:, None] * free) + barrier * within_bounds.T @ (
                (1 / slack**2)[:, None] * within_bounds
            )
            step = np.linalg.solve(bend, slope)
            decrement = float(slope @ step)
            falls = within_bounds @ step
            reach = (slack[falls > 0] / falls[falls > 0]).min(initial=np.inf)
            p = p + min(1.0, 0.9 * reach, 1.0 if decrement < 0.25 else 1 / (1 + decrement**0.5)) * (free @ step)
            if decrement < 1e-22:
                break
    # A bound that the best lottery reaches without pressing on it still keeps it away by the root of the barrier.
    tight = bounds[: len(below)] @ p > -_TIGHT
    if tight.any():
        equal = np.vstack([within, below[tight]])
        rows = np.vstack([equal, np.ones(len(p))])
        there = p - np.linalg.pinv(rows) @ (rows @ p - np.eye(len(rows))[-1])
        if there.min() > 0 and (below[~tight] @ there).max(initial=-1.0) < 0:
            return _most_even(there, equal, below[~tight])
    p = np.round(p, _DECIMALS)
    return np.asarray(p / p.sum())


def _null_space(matrix: Floats) -> Floats:
    """An orthonormal basis `(s, d)` of the vectors that the matrix takes to 0."""
    _, sizes, rows = np.linalg.svd(matrix)
    rank = int((sizes > 1e-9 * sizes.max(initial=1.0)).sum())
    return np.asarray(rows[rank:].T)
