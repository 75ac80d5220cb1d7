"""One order of least cost, by an integer program whose constraints are added where they are violated."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import Any

import numpy as np

from simulator.mediators.families.insertion import improved
from simulator.profile import Floats, Ints

_MOST_ADDED = 4000
_VIOLATED = 1e-6


@dataclass(frozen=True, slots=True)
class ProgramOrder:
    """An order and whether it was proved that none costs less."""

    order: Ints
    optimal: bool


def best_order(margins: Floats, slack: float, deadline: float) -> ProgramOrder:
    """An order with the least sum of margins against it.

    x_ab = 1 if a stands above b, for a < b; minimise sum -M(a,b) x_ab, so that x_ab + x_bc + x_ca <= 2 around every
    triple. The linear relaxation is solved first, and what it costs is a lower bound: where the heuristic's order costs
    no more, it is optimal. Where the relaxation ends with fractions, the variables become integers.

    Args:
        margins: `(s, s)`, the weight for the row item above the column item less the weight against.
        slack: costs closer than this are equal; 0 says that margins are integers.
        deadline: on the clock `time.monotonic`; later, the heuristic's order is returned.
    """
    s = len(margins)
    found = improved(margins, np.argsort(-margins.sum(axis=1), kind="stable"), slack)
    upper, lower = np.triu_indices(s, 1)
    weights = -margins[upper, lower]
    number = np.zeros((s, s), dtype=np.int64)
    number[upper, lower] = np.arange(len(upper))
    place = np.argsort(found)
    known = float(weights @ (place[upper] < place[lower]))
    values = (weights < 0).astype(np.float64)
    rows = np.zeros((0, 3), dtype=np.int64)
    integer = False
    while True:
        bound = float(weights @ values)
        if np.ceil(bound - _VIOLATED) >= known if slack == 0 else bound >= known - slack:
            return ProgramOrder(found, True)
        added = _violated(values, number, s)
        if not len(added):
            if np.abs(values - np.round(values)).max() < _VIOLATED:
                above = np.zeros((s, s))
                above[upper, lower], above[lower, upper] = values, 1 - values
                return ProgramOrder(np.argsort(-above.sum(axis=1), kind="stable"), True)
            integer = True
        rows = np.concatenate([rows, added])
        left = deadline - monotonic()
        solved = _solve(weights, rows, number, integer, left) if left > 0 else None
        if solved is None:
            return ProgramOrder(found, False)
        values = solved


def _violated(values: Floats, number: Ints, s: int) -> Ints:
    """Triples (a, b, c) with a < b and a < c and x_ab + x_bc + x_ca > 2, most violated first."""
    above = np.zeros((s, s))
    upper, lower = np.triu_indices(s, 1)
    above[upper, lower], above[lower, upper] = values, 1 - values
    found = []
    for a in range(s - 2):
        around = above[a, a + 1 :, None] + above[a + 1 :, a + 1 :] + above[a + 1 :, a][None]
        np.fill_diagonal(around, 0.0)
        b, c = np.nonzero(around > 2 + _VIOLATED)
        found.append(np.column_stack([np.full(len(b), a), b + a + 1, c + a + 1, around[b, c] * -1e6]).astype(np.int64))
    triples = np.concatenate(found)
    return triples[np.argsort(triples[:, 3], kind="stable")[:_MOST_ADDED], :3]


def _solve(weights: Floats, rows: Ints, number: Ints, integer: bool, seconds: float) -> Floats | None:
    """Values of the variables, or None if time ran out."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    a, b, c = rows.T
    forward = b < c
    columns = np.column_stack([number[a, b], np.where(forward, number[b, c], number[c, b]), number[a, c]])
    signs = np.column_stack([np.ones(len(rows)), np.where(forward, 1.0, -1.0), -np.ones(len(rows))])
    most = 1.0 - (~forward)  # x_ab + x_bc + (1 - x_ac) <= 2, and x_bc = 1 - x_cb where c < b
    matrix = csr_array(
        (signs.ravel(), columns.ravel(), np.arange(0, 3 * len(rows) + 1, 3)), shape=(len(rows), len(weights))
    )
    options: dict[str, Any] = {"time_limit": seconds, "mip_rel_gap": 0.0}
    result = milp(
        weights,
        integrality=np.full(len(weights), int(integer)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, -np.inf, most) if len(rows) else (),
        options=options,
    )
    if result.status != 0:
        return None
    return np.asarray(np.clip(result.x, 0.0, 1.0))
