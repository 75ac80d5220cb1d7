"""How far mediators decide alike: rank agreement of their outcomes in rounds about the same candidates."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from simulator.metrics.kendall_tau import tau_b
from simulator.profile import Floats

if TYPE_CHECKING:
    from simulator.compare.loading import Member
    from simulator.runs.run import Run

Tiers = dict[str, int]


def rank_agreement(labels: Sequence[str], members: Sequence[Member]) -> tuple[Floats, np.ndarray]:
    """Mean Kendall's tau-b between the final outcomes of two groups, over the seeds and rounds that both have.

    Rounds count in which both had the same candidates. In a world with consequences runs part as their outcomes do;
    what is compared then is two rules on two histories.

    Returns:
        `(g, g)` means, 1 on the diagonal, nan where nothing could be compared; `(g, g)` numbers of rounds compared.
    """
    finals = {(member.label, member.seed): _finals(member.run) for member in members}
    g = len(labels)
    means, counts = np.full((g, g), np.nan), np.zeros((g, g), dtype=np.int64)
    np.fill_diagonal(means, 1.0)
    for i, j in combinations(range(g), 2):
        taus = [
            tau
            for (label, seed), rounds in finals.items()
            if label == labels[i] and (labels[j], seed) in finals
            for tau in _taus(rounds, finals[labels[j], seed])
        ]
        counts[i, j] = counts[j, i] = len(taus)
        if taus:
            means[i, j] = means[j, i] = float(np.mean(taus))
    return means, counts


def _finals(run: Run) -> dict[int, Tiers]:
    """The tier of every item in the last outcome of each round."""
    found = {}
    for event in run.outcomes():
        found[event["round"]] = {item: tier for tier, items in enumerate(event["tiers"]) for item in items}
    return found


def _taus(first: dict[int, Tiers], second: dict[int, Tiers]) -> list[float]:
    taus = []
    for number in sorted(first.keys() & second.keys()):
        one, other = first[number], second[number]
        if one.keys() == other.keys():
            items = sorted(one)
            tau = float(tau_b(-np.array([one[i] for i in items], float), -np.array([other[i] for i in items], float)))
            if not np.isnan(tau):
                taus.append(tau)
    return taus
