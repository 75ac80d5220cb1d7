"""Ballots from numbers: a ranking by utilities, and a step from one's own utilities towards a tentative outcome."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from simulator.outcome import Outcome
from simulator.profile import Floats, Ranking


def ranking_by(utilities: Floats, items: Sequence[str]) -> Ranking:
    """Items by falling utility `(m,)`; equal utilities tie."""
    order = np.argsort(-utilities, kind="stable")
    falling = utilities[order]
    named = [items[place] for place in order.tolist()]
    starts = [0, *(np.flatnonzero(falling[1:] != falling[:-1]) + 1).tolist(), len(named)]
    if len(starts) == len(named) + 1:
        return Ranking(tuple(zip(named, strict=True)))  # no ties: tiers of one
    return Ranking(tuple([tuple(named[start:end]) for start, end in pairwise(starts) if start < end]))


def concede(utilities: Floats, tentative: Outcome, concession: float) -> Floats:
    """Utilities `(m,)` moved towards an outcome: (1 - c) u(a) + c (m - place of a) / (m - 1), places from 1."""
    m = len(utilities)
    standing = (m - 1 - tentative.positions) / max(m - 1, 1)
    return np.asarray(np.round((1 - concession) * utilities + concession * standing, 12))


def satisfaction(utilities: Floats, slate: Sequence[int]) -> float:
    """Mean utility of a slate as a share of the mean of one's own best items of that number; 1 if those are worth 0."""
    best = float(np.sort(utilities)[-len(slate) :].sum())
    return float(utilities[list(slate)].sum()) / best if best > 0 else 1.0
