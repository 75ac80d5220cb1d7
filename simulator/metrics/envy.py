"""Envy between stakeholders that each hold a private part; shared slates, which all get alike, leave none to envy.

An allocation `(g,)` says which of n stakeholders holds each of g goods; `valuations[i, g]` `(n, g)` is what a good is
worth to i, at least 0, and parts add up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.outcome import TOLERANCE
from simulator.profile import Bools, Floats, Ints


def part_values(valuations: ArrayLike, allocation: ArrayLike) -> Floats:
    """v_i(X_j) `(..., n, n)`: what the part of j is worth to i; `valuations` `(n, g)`, `allocation` `(..., g)`."""
    values, holds = _parts(valuations, allocation)
    return np.asarray((values * holds[..., None, :, :]).sum(axis=-1))


def is_envy_free(valuations: ArrayLike, allocation: ArrayLike) -> Bools:
    """Whether v_i(X_i) >= v_i(X_j) for all i, j, up to rounding; `(...)`.

    Source: D. Foley, Resource allocation and the public sector, 1967.
    """
    return _nobody_below(part_values(valuations, allocation), 0.0)


def is_ef1(valuations: ArrayLike, allocation: ArrayLike) -> Bools:
    """Whether v_i(X_i) >= v_i(X_j) - max_{g in X_j} v_i(g) for all i, j: no envy once a good is left out; `(...)`.

    Sources: R. J. Lipton et al., On approximately fair allocations of indivisible goods, EC 2004; E. Budish, The
    combinatorial assignment problem, 2011.
    """
    values, holds = _parts(valuations, allocation)
    return _nobody_below(part_values(valuations, allocation), (values * holds[..., None, :, :]).max(axis=-1, initial=0))


def _parts(valuations: ArrayLike, allocation: ArrayLike) -> tuple[Floats, Bools]:
    """Valuations `(n, 1, g)` and whether j holds good g `(..., n, g)`."""
    values = np.asarray(valuations, dtype=np.float64)
    holders: Ints = np.asarray(allocation, dtype=np.int64)
    return values[:, None, :], holders[..., None, :] == np.arange(len(values))[:, None]


def _nobody_below(parts: Floats, left_out: Floats | float) -> Bools:
    own = np.diagonal(parts, axis1=-2, axis2=-1)[..., None]
    return np.asarray((own >= parts - left_out - TOLERANCE * np.maximum(1.0, np.abs(parts))).all(axis=(-2, -1)))


def maximin_share(values: ArrayLike, n: int) -> float:
    """MMS: the most that somebody who values the goods so gets when it divides them into n parts and takes the worst.

    `values` `(g,)`. Exact, by an integer program: max z such that every part is worth at least z.
    Source: E. Budish, The combinatorial assignment problem, 2011.
    """
    from scipy.optimize import LinearConstraint, milp

    worth = np.asarray(values, dtype=np.float64)
    goods = len(worth)
    if goods < n:
        return 0.0  # a part stays empty
    part_of = np.kron(np.eye(n), worth)  # variables: good g in part p at p * goods + g, then z
    parts = LinearConstraint(np.column_stack([part_of, -np.ones(n)]), lb=0)
    once = LinearConstraint(np.column_stack([np.tile(np.eye(goods), n), np.zeros(goods)]), 1, 1)
    cost = np.zeros(n * goods + 1)
    cost[-1] = -1
    solved = milp(
        cost,
        constraints=[parts, once],
        integrality=np.append(np.ones(n * goods), 0),
        bounds=(0, np.append(np.ones(n * goods), np.inf)),
        options={"mip_rel_gap": 0},
    )
    chosen = solved.x[:-1].reshape(n, goods).round()
    return float((chosen @ worth).min())
