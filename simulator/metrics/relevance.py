"""Accuracy with relevant and other items: does the slate hold what a stakeholder wants, and how far up?

`hits` `(..., k)` tells for every place of the slate, from the top, whether its item is relevant. In a run, relevant are
a stakeholder's own best items by its true utilities: k of them, or as many as the parameter `relevant` says; what is
worth as much as the last of these is relevant too.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simulator.metrics.base import Evaluation, metric
from simulator.metrics.parameters import Count
from simulator.profile import Floats


def precision(hits: ArrayLike) -> Floats:
    """Precision@k: share of the k places that hold a relevant item, in 0..1; nan of an empty slate."""
    found = np.asarray(hits, dtype=np.bool_)
    return np.asarray(found.mean(axis=-1)) if found.shape[-1] else np.full(found.shape[:-1], np.nan)


def recall(hits: ArrayLike, relevant: ArrayLike) -> Floats:
    """Recall@k: share of the `relevant` `(...)` items that the slate holds, in 0..1; nan where nothing is relevant."""
    number = np.asarray(relevant, dtype=np.float64)
    found = np.asarray(hits, dtype=np.bool_).sum(axis=-1)
    return np.where(number > 0, found / np.where(number > 0, number, 1.0), np.nan)


def reciprocal_rank(hits: ArrayLike) -> Floats:
    """1 / place of the first relevant item, places from 1; 0 without one. Its mean over queries is the MRR.

    Source: E. Voorhees, The TREC-8 question answering track report, 1999.
    """
    return np.asarray(1 / _first(hits))


def discounted_first_hit(hits: ArrayLike) -> Floats:
    """DFH: 1 / log2(place of the first relevant item + 1), places from 1; 0 without one; in 0..1.

    Source: M. Kaya, D. Bridge and N. Tintarev, Ensuring fairness in group recommendations by rank-sensitive balancing
    of relevance, RecSys 2020.
    """
    return np.asarray(1 / np.log2(_first(hits) + 1))


def zero_recall(hits: ArrayLike) -> Floats:
    """ZRecall: share of the n members for whom the slate holds nothing relevant; `(..., n, k)` to `(...)`.

    Source: as used for groups by M. Kaya, D. Bridge and N. Tintarev, RecSys 2020.
    """
    return np.asarray((~np.asarray(hits, dtype=np.bool_).any(axis=-1)).mean(axis=-1))


def _first(hits: ArrayLike) -> Floats:
    """Place of the first hit, from 1; infinity without one."""
    found = np.asarray(hits, dtype=np.bool_)
    if not found.shape[-1]:
        return np.full(found.shape[:-1], np.inf)
    return np.where(found.any(axis=-1), found.argmax(axis=-1) + 1.0, np.inf)


@metric("precision", scope="stakeholder")
def round_precision(view: Evaluation, *, relevant: Count | None = None) -> Floats:
    """Share of the delivered items that are among the stakeholder's own best `relevant` (k by default)."""
    return precision(view.own_best(relevant)[:, view.slate])


@metric("recall", scope="stakeholder")
def round_recall(view: Evaluation, *, relevant: Count | None = None) -> Floats:
    """Share of the stakeholder's own best `relevant` items (k by default) that were delivered."""
    wanted = view.own_best(relevant)
    return recall(wanted[:, view.slate], wanted.sum(axis=1))


@metric("reciprocal_rank", scope="stakeholder")
def round_reciprocal_rank(view: Evaluation, *, relevant: Count | None = None) -> Floats:
    """1 / place of the first delivered item of the stakeholder's own best `relevant` (k by default); 0 without one."""
    return reciprocal_rank(view.own_best(relevant)[:, view.slate])


@metric("discounted_first_hit", scope="stakeholder")
def round_discounted_first_hit(view: Evaluation, *, relevant: Count | None = None) -> Floats:
    """1 / log2(1 + place) of the first delivered item of the own best `relevant` (k by default); 0 without one."""
    return discounted_first_hit(view.own_best(relevant)[:, view.slate])


@metric("zero_recall", scope="collective", better="lower")
def round_zero_recall(view: Evaluation, *, relevant: Count | None = None) -> float:
    """Share of the stakeholders that find none of their own best `relevant` items (k by default) in the slate."""
    return float(zero_recall(view.own_best(relevant)[:, view.slate]))
