"""Zeuthen's rule: whoever can least afford a conflict concedes, by as little as is needed.

Sources: F. Zeuthen, Problems of Monopoly and Economic Warfare, 1930; J. C. Harsanyi, Approaches to the bargaining
problem before and after the theory of games, Econometrica 24, 1956 (the rule ends at Nash's solution); J. S.
Rosenschein and G. Zlotkin, Rules of Encounter, 1994 (the monotonic concession protocol); U. Endriss, Monotonic
concession protocols for multilateral negotiation, AAMAS 2006 (more than two parties).
"""

from __future__ import annotations

import numpy as np

from simulator.outcome import TOLERANCE
from simulator.profile import Bools, Floats


def log_nash_product(surplus: Floats, power: Floats) -> Floats:
    """sum_i p_i log(surplus_i) of the deals, `(D,)`: -inf where somebody gains nothing, nan where somebody loses.

    Args:
        surplus: `(n, D)` worth less reservation value.
        power: `(n,)` bargaining power, adding up to 1; equal powers give Nash's symmetric solution.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(surplus < -TOLERANCE, np.nan, np.log(np.maximum(surplus, 0.0)))
        return np.asarray(np.where(power[:, None] > 0, power[:, None] * logs, 0.0).sum(axis=0))


def risks(surplus: Floats) -> Floats:
    """Zeuthen's risk limits `(n,)` of the parties, each with an offer of its own.

    r_i = (s_i(x_i) - min_j s_i(x_j)) / s_i(x_i): the share of what one's own offer would bring that one would lose by
    giving in to the worst of the others' offers, in [0, 1]; 1 for whoever has nothing to lose by a conflict.

    Args:
        surplus: `(n, n)` surplus of party i (row) from the offer of party j (column).
    """
    own = np.diagonal(surplus)
    lost = own - np.clip(surplus, 0.0, None).min(axis=1)
    return np.where(own > TOLERANCE, np.clip(lost / np.where(own > TOLERANCE, own, 1.0), 0.0, 1.0), 1.0)


def concession(party: int, standing: int, surplus: Floats, products: Floats, target: float) -> int | None:
    """The deal by which a party concedes, or None if it has none left.

    Of the deals whose Nash product is greater than that of its standing offer and at least `target`, with nobody below
    their reservation value, the one that is worth most to itself; of equally good ones the greatest product, then the
    first.

    Args:
        party: who concedes.
        standing: its offer's row.
        surplus: `(n, D)`.
        products: `(D,)` from `log_nash_product`.
        target: a logarithm; the greatest product is always enough.
    """
    best = np.nanmax(products, initial=-np.inf)
    with np.errstate(invalid="ignore"):
        open_deals: Bools = _above(products, products[standing]) & (products >= min(target, best) - TOLERANCE)
    rows = np.flatnonzero(open_deals)
    if not len(rows):
        return None
    order = np.lexsort((rows, -products[rows], -np.round(surplus[party, rows], 12)))
    return int(rows[order[0]])


def _above(products: Floats, line: float) -> Bools:
    return np.asarray(products > line + TOLERANCE if np.isfinite(line) else np.isfinite(products))
