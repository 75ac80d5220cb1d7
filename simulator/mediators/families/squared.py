"""Orders by their squared distances to ballots: what an order costs, and a search for one that costs less."""

from __future__ import annotations

import numpy as np

from simulator.mediators.families.insertion import moved
from simulator.outcome import TOLERANCE
from simulator.profile import Floats, Ints, positions


def distances(ranks: Ints, order: Ints) -> Floats:
    """How many pairs each ballot `(d, m)` ranks in the opposite order, `(d,)`."""
    here = ranks[:, order]
    return np.asarray(np.triu(here[:, :, None] > here[:, None, :], 1).sum(axis=(1, 2)), dtype=np.float64)


def cost_of(ranks: Ints, weights: Floats, order: Ints) -> float:
    """sum_i w_i K(r_i, order)^2 of ballots `(d, m)` and weights `(d,)`."""
    return float(weights @ distances(ranks, order) ** 2)


def improved(ranks: Ints, weights: Floats) -> Ints:
    """An order `(m,)` that no move of one item and no exchange of two items makes better, from Borda's order."""
    m = ranks.shape[1]
    order = np.argsort(weights @ positions(ranks), kind="stable")
    cost = cost_of(ranks, weights, order)
    while True:
        moves, exchanges = _changes(ranks, order)
        now = distances(ranks, order)[:, None, None]
        by_move = np.tensordot(weights, (now + moves) ** 2, axes=1)
        by_exchange = np.tensordot(weights, (now + exchanges) ** 2, axes=1)
        best = by_move if by_move.min() <= by_exchange.min() else by_exchange
        here, there = divmod(int(best.argmin()), m)
        if best[here, there] >= cost * (1 - TOLERANCE):
            return order
        cost = float(best[here, there])
        if best is by_move:
            order = moved(order, here, there)
        else:
            order[[here, there]] = order[[there, here]]


def _changes(ranks: Ints, order: Ints) -> tuple[Floats, Floats]:
    """How each ballot's distance changes, `(d, m, m)`, by moving an item from place to place, and by exchanging two."""
    m = len(order)
    here = ranks[:, order]
    above = np.sign(here[:, :, None] - here[:, None, :]).astype(np.float64)  # 1: the ballot is against row above column
    sums = np.zeros((len(ranks), m, m + 1))
    np.cumsum(above, axis=2, out=sums[:, :, 1:])
    own = np.diagonal(sums, axis1=1, axis2=2)[:, :, None]
    places = np.arange(m)
    up = sums[:, :, :m] - own  # minus the sum over the places from the new one to just before the old one
    down = own - sums[:, :, 1:]
    moves = np.where(places < places[:, None], -up, down)
    # exchange i < j: the lower item moves up to i, the upper one down to just before j, where it has passed all between
    between = np.where(places > places[:, None], own - sums[:, :, :m], 0.0)
    exchanges = np.swapaxes(moves, 1, 2) + between
    exchanges = np.triu(exchanges, 1)
    return moves, exchanges + np.swapaxes(exchanges, 1, 2)
