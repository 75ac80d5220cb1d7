"""Better orders by moving single items: the heuristic of Kemeny's rule, and a way to equally good orders."""

from __future__ import annotations

import numpy as np

from simulator.profile import Floats, Ints


def gains(margins: Floats, order: Ints) -> Floats:
    """What is saved by taking the item at one place out and putting it in at another, `(s, s)`; 0 where it stays.

    Args:
        margins: `(s, s)`, the weight for the row item above the column item less the weight against.
        order: `(s,)`.
    """
    here = margins[np.ix_(order, order)]
    sums = np.zeros((len(order), len(order) + 1))
    np.cumsum(here, axis=1, out=sums[:, 1:])
    own = np.diagonal(sums)[:, None]  # here[i, i] is 0, so sums at i and at i + 1 are equal
    places = np.arange(len(order))
    return np.asarray(np.where(places < places[:, None], own - sums[:, :-1], own - sums[:, 1:]))


def moved(order: Ints, here: int, there: int) -> Ints:
    """The order after the item at one place is put at another."""
    return np.insert(np.delete(order, here), there, order[here])


def improved(margins: Floats, order: Ints, slack: float) -> Ints:
    """The order after the best move, again and again, until none saves more than `slack`."""
    while True:
        saved = gains(margins, order)
        here, there = divmod(int(saved.argmax()), len(order))
        if saved[here, there] <= slack:
            return order
        order = moved(order, here, there)


def as_good(margins: Floats, order: Ints, slack: float, most: int) -> list[Ints]:
    """Orders that cost the same, found from one to the next by single moves, at most so many; the first is `order`."""
    found: dict[bytes, Ints] = {order.tobytes(): order}
    todo = [order]
    while todo:
        known = todo.pop(0)
        saved = gains(margins, known)
        for here, there in np.argwhere(np.abs(saved) <= slack).tolist():
            if here == there:
                continue
            if len(found) == most:
                return list(found.values())
            other = moved(known, here, there)
            if other.tobytes() not in found:
                found[other.tobytes()] = other
                todo.append(other)
    return list(found.values())
