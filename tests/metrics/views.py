"""Evaluated rounds made by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from simulator.catalogue import Catalogue
from simulator.metrics.base import Evaluation, History
from simulator.metrics.group_sums import GroupSums
from simulator.metrics.items import Columns, Items
from simulator.profile import dense_ranks


def evaluation(
    utilities, slate, *, history=None, weights=None, equal=None, first=None, last=None, tiers=None, **columns
):
    """A round over candidates a, b, c, ... ; further keywords are columns of their catalogue, as text or numbers."""
    utilities = np.array(utilities, dtype=float)
    n, m = utilities.shape
    slate = np.array(slate)
    given = utilities[:, slate].mean(axis=1)
    best = np.sort(utilities, axis=1)[:, -len(slate) :]
    if history is None:
        history = History(n, m, GroupSums(2, n, m, block=1))
        shares = np.array([0.75, 0.25])
        history.append(given, np.ones(n, dtype=bool), best=best.mean(axis=1), slate=slate, membership=shares)
    tiers = np.arange(m) if tiers is None else np.array(tiers)
    ids = tuple(f"i{number}" for number in range(m))
    texts = {name: tuple(map(str, column)) for name, column in columns.items()}
    items = Items(ids, utilities, Columns(Catalogue(Path("items.csv"), ids, texts, tuple(range(2, m + 2)))))
    return Evaluation(
        weights=np.ones(n) if weights is None else np.array(weights, dtype=float),
        utilities=utilities,
        equal_utilities=utilities if equal is None else np.array(equal, dtype=float),
        first_ranks=dense_ranks(utilities) if first is None else np.array(first),
        ranks=dense_ranks(utilities) if last is None else np.array(last),
        order=np.argsort(tiers, kind="stable"),
        tiers=tiers,
        slate=slate,
        slate_utilities=given,
        history=history,
        items=items,
        names=tuple(f"s{number}" for number in range(n)),
    )
