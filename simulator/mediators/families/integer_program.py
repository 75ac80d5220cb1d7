"""Best slates by integer program, solved by SciPy's HiGHS: one after another, until the next one is worth less."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any

import numpy as np

from simulator.mediators.families.tied import Slate
from simulator.outcome import TOLERANCE
from simulator.profile import Bools, Floats, Ints

MOST_TIED = 10


@dataclass(frozen=True, slots=True)
class Program:
    """Maximise `gain @ x` with `rows @ x <= limits` and 0 <= x <= upper; the first m of the x say which items are in.

    Attributes:
        gain: `(v,)`.
        rows: `(r, v)` sparse.
        limits: `(r,)`.
        upper: `(v,)`.
        whole: `(v,)` which x are integers.
    """

    gain: Floats
    rows: Any
    limits: Floats
    upper: Floats
    whole: Bools


@dataclass(frozen=True, slots=True)
class Solved:
    """What the solver found.

    Attributes:
        best: the best slates, sorted; none if no slate was proved best within the time.
        next_best: the best slate that is worth less, where it is known.
        complete: whether no other slate is as good as `best`.
        incumbent: the best slate that was found without a proof.
    """

    best: tuple[Slate, ...]
    next_best: Slate | None
    complete: bool
    incumbent: Slate | None


def solve(program: Program, kind_of: Ints, k: int, worth: Callable[[Slate], float], seconds: float) -> Solved:
    """Find the slates of k items that are worth most, at most `MOST_TIED` of them.

    Args:
        program: whose greatest value over the x is the worth of a slate.
        kind_of: `(m,)` the kind of every item; items of a kind are the same, and are taken in item order.
        k: size of the slate.
        worth: of a slate, exactly; slates within 1e-9 of each other are tied.
        seconds: time limit for all of it.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_matrix, vstack

    end = monotonic() + seconds
    m, variables = len(kind_of), len(program.gain)
    size = csr_matrix((np.ones(m), (np.zeros(m, dtype=np.int64), np.arange(m))), shape=(1, variables))
    by_kind = np.argsort(kind_of, kind="stable")
    twins = np.flatnonzero(kind_of[by_kind[1:]] == kind_of[by_kind[:-1]])
    earlier, later = by_kind[twins], by_kind[twins + 1]
    order = csr_matrix(
        (
            np.repeat([-1.0, 1.0], len(twins)),
            (np.tile(np.arange(len(twins)), 2), np.concatenate([earlier, later])),
        ),
        shape=(len(twins), variables),
    )
    rows = vstack([program.rows, size, -size, order], format="csr")
    limits = np.concatenate([program.limits, [k, -k], np.zeros(len(twins))])
    best: list[Slate] = []
    while len(best) < MOST_TIED:
        left = end - monotonic()
        if left <= 0:
            break
        result = milp(
            -program.gain,
            integrality=program.whole.astype(np.int64),
            bounds=Bounds(0, program.upper),
            constraints=LinearConstraint(rows, -np.inf, limits),
            options={"time_limit": left, "mip_rel_gap": 0.0},
        )
        if result.status == 2:  # every slate has been found
            return Solved(tuple(best), None, True, None)
        slate = None if result.x is None else tuple(np.flatnonzero(result.x[:m] > 0.5).tolist())
        if result.status != 0 or slate is None:
            return Solved(tuple(best), None, False, None if best else slate)
        if best and worth(slate) < worth(best[0]) * (1 - TOLERANCE):
            return Solved(tuple(best), slate, True, None)
        best.append(slate)
        taken = csr_matrix((np.ones(k), (np.zeros(k, dtype=np.int64), list(slate))), shape=(1, variables))
        rows = vstack([rows, taken], format="csr")
        limits = np.append(limits, k - 1)
    return Solved(tuple(best), None, False, None)
