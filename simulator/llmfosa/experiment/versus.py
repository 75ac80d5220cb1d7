"""LLMFOSA against what a user would do without it, in one sentence a figure: paired over seeds, at equal accuracy."""

from __future__ import annotations

import numpy as np

from simulator.compare.statistics import Interval, paired
from simulator.llmfosa.tables import Results, difference_at

FIRST = "llmfosa"
OTHERS = ("majority_fairmi", "dawid_skene_fairmi", "fairmi")


def versus(results: Results, k: int = 10) -> list[str]:
    """Sentences on LLMFOSA minus each other method that the results have.

    DP is compared where both methods' fronts over their weights reach the same untruncated NDCG, interpolated; the AUC
    of the inferred attribute at each seed's first weight, for it does not depend on the weight.
    """
    lines = []
    own = results.front(FIRST, f"ndcg_untruncated@{k}", f"dp@{k}")
    for other in OTHERS:
        theirs = results.front(other, f"ndcg_untruncated@{k}", f"dp@{k}")
        if own and theirs:
            found = difference_at(own, theirs)
            if any(found.compared):
                reached = found.quality[np.array(found.compared)]
                where = f"at NDCG@{k} (untruncated) of {reached.min():.4f} to {reached.max():.4f}"
                lines.append(f"{FIRST} against {other}: DP@{k} {_told(found.overall.difference)} {where}")
            else:
                lines.append(f"{FIRST} against {other}: no NDCG@{k} that both reach within .003 in every seed")
        first, second = _attribute(results, FIRST), _attribute(results, other)
        shared = [seed for seed in first if seed in second]
        if shared and other != "fairmi":
            gap = paired([first[seed] for seed in shared], [second[seed] for seed in shared])
            lines.append(f"{FIRST} against {other}: AUC of the attribute {_told(gap.difference)}")
    return lines


def _attribute(results: Results, method: str) -> dict[int, float]:
    found: dict[int, float] = {}
    for row in results.rows:
        if row.method == method and "attribute_auc" in row.figures:
            found.setdefault(row.seed, row.figures["attribute_auc"])
    return found


def _told(found: Interval) -> str:
    if np.isnan(found.low):
        return f"{found.mean:+.4f} (one seed, no interval)"
    return f"{found.mean:+.4f} [{found.low:+.4f}, {found.high:+.4f}] over {found.n} seeds"
