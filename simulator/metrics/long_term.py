"""What a sequence of decisions gives to voters in the long run: arrays over histories, for metrics and simulations.

A history has T rounds, n voters and m items; leading batch axes are more histories. `satisfied` `(..., T, n)` says
whether a round's decision (or slate) held anything that the voter approves.

Source: M. Lackner, Perpetual voting: fairness in long-term decision making, AAAI 2020.
"""

from __future__ import annotations

import numpy as np

from simulator.metrics.gini import gini
from simulator.profile import Bools, Floats, Ints


def satisfied_by(approvals: Bools, chosen: Ints) -> Bools:
    """Who approves what was chosen, `(..., T, n)`, from approvals `(..., T, n, m)` and items `(..., T)`."""
    return np.asarray(np.take_along_axis(approvals, chosen[..., None, None], axis=-1)[..., 0])


def perpetual_quotas(approvals: Bools, weights: Floats | None = None) -> Floats:
    """qu_i^t = sum_{s <= t} max_{c in A_i^s} |N_c^s| / n, `(..., T, n)`: what a voter could ask for up to round t.

    Args:
        approvals: `(..., T, n, m)`.
        weights: `(..., n)` multiplicities of the voters; 1 by default.
    """
    held = np.ones(approvals.shape[-2]) if weights is None else weights[..., None, :]
    total = held.sum(axis=-1)[..., None, None]
    behind = (held[..., None, :] @ approvals) / np.where(total > 0, total, 1.0)
    return np.asarray(np.cumsum((approvals * behind).max(axis=-1, initial=0.0), axis=-2))


def quota_compliance(satisfied: Bools, quotas: Floats) -> Floats:
    """Share of voters and rounds, `(...)`, in which a voter has got at least its perpetual quota, rounded down.

    sat_i^t >= floor(qu_i^t), that is qu_i^t - sat_i^t < 1. Both arguments `(..., T, n)`; nan without rounds or voters.
    """
    short = quotas - np.cumsum(satisfied, axis=-2)
    return _mean(short < 1 - 1e-9)


def influence(satisfied: Bools) -> Floats:
    """infl_i = sum_t [i is satisfied in t] / number of voters satisfied in t, `(..., n)`."""
    together = satisfied.sum(axis=-1, keepdims=True)
    return np.asarray((satisfied / np.maximum(together, 1)).sum(axis=-2))


def influence_gini(satisfied: Bools) -> Floats:
    """Gini coefficient `(...)` of the voters' influence; 0 = all have had the same."""
    return gini(influence(satisfied))


def longest_dry_spell(satisfied: Bools) -> Ints:
    """The longest run of rounds, `(..., n)`, in which a voter was not satisfied."""
    spell = np.zeros((*satisfied.shape[:-2], satisfied.shape[-1]), dtype=np.int64)
    longest = spell
    for t in range(satisfied.shape[-2]):
        spell = np.where(satisfied[..., t, :], 0, spell + 1)
        longest = np.maximum(longest, spell)
    return longest


def _mean(holds: Bools) -> Floats:
    if holds.shape[-1] * holds.shape[-2] == 0:
        return np.full(holds.shape[:-2], np.nan)
    return np.asarray(holds.mean(axis=(-2, -1)))
