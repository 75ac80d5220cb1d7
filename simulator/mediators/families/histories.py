"""Perpetual rules on thousands of histories at once, without a profile each: what simulations and tests run.

A history is an array of approvals `(T, n, m)`: T rounds, n voters, m items. Leading batch axes are more histories.
"""

from __future__ import annotations

import numpy as np

from simulator.mediators.families.choices import tied_best
from simulator.mediators.families.perpetual import PerpetualMediator
from simulator.mediators.families.remembering import support
from simulator.profile import Bools, Floats, Ints


def decisions(rule: PerpetualMediator, approvals: Bools, weights: Floats | None = None) -> Ints:
    """The items `(..., T)` that a rule decides for, one a round, ties to the first item.

    Args:
        rule: a perpetual rule.
        approvals: `(..., T, n, m)`.
        weights: `(..., n)`, all positive; 1 by default.
    """
    *batch, rounds, n, _ = approvals.shape
    counted = np.ones((*batch, n)) if weights is None else np.broadcast_to(weights, (*batch, n))
    state = rule.initial(*batch, n)
    chosen = np.zeros((*batch, rounds), dtype=np.int64)
    for t in range(rounds):
        columns = approvals[..., t, :, :].astype(np.float64)
        state = rule.opened(state, columns, counted)
        tied = tied_best(rule.criteria(state, columns, counted), np.asarray(columns.any(axis=-2)))
        chosen[..., t] = tied.argmax(axis=-1)
        state = rule.after(state, gained(columns, chosen[..., t]), counted)
        state = rule.closed(state, columns, counted)
    return chosen


def approval_decisions(approvals: Bools, weights: Floats | None = None) -> Ints:
    """What approval voting, which remembers nothing, decides: `(..., T)`, ties to the first item."""
    n = approvals.shape[-2]
    counted = np.ones(n) if weights is None else weights[..., None, :]
    votes = support(np.broadcast_to(counted, approvals.shape[:-1]), approvals.astype(np.float64))
    return np.asarray(tied_best((votes,), np.ones(votes.shape, dtype=np.bool_)).argmax(axis=-1))


def dictated(approvals: Bools, speakers: Ints, draws: Floats) -> Ints:
    """What voters decide who speak in a given order, `(..., T)`: each keeps those of the items left that it approves.

    A voter that approves none of the items left keeps them all. Random (serial) dictatorships are random orders,
    rotating ones are orders that move on by one voter a round.

    Args:
        approvals: `(..., T, n, m)`.
        speakers: `(..., T, s)` voters in the order in which they speak; s = 1 for a plain dictatorship.
        draws: `(..., T)` in [0, 1), which of the items left at the end is taken; 0 for the first.
    """
    left = np.ones((*approvals.shape[:-2], approvals.shape[-1]), dtype=np.bool_)
    for place in range(speakers.shape[-1]):
        own = np.take_along_axis(approvals, speakers[..., place, None, None], axis=-2)[..., 0, :] & left
        left = np.where(own.any(axis=-1, keepdims=True), own, left)
    wanted = np.floor(draws * left.sum(axis=-1)).astype(np.int64) + 1
    return np.asarray((np.cumsum(left, axis=-1) >= wanted[..., None]).argmax(axis=-1))


def gained(columns: Floats, chosen: Ints) -> Floats:
    """What the ballots `(..., n, m)` say about the chosen items `(...)`, as `(..., n)`."""
    return np.asarray(np.take_along_axis(columns, chosen[..., None, None], axis=-1)[..., 0])
