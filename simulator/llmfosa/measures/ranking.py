"""How accurate recommendations are: NDCG, recall and hits against the test items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from simulator.llmfosa.measures.top import Matrix
from simulator.profile import Bools, Floats, Ints


def hits(top: Ints, test: Matrix) -> Bools:
    """Whether each recommended item is among its user's test items, `(n, k)`; -1 never is."""
    n, m = test.shape
    if len(top) != n:
        raise ValueError(f"{len(top)} rows of recommendations do not fit the test items of {n} users")
    users = np.arange(n)
    keys = np.repeat(users, np.diff(test.indptr)) * m + test.indices.astype(np.int64)
    if not test.has_sorted_indices:
        keys.sort()
    if not len(keys):
        return np.zeros(top.shape, dtype=np.bool_)
    asked = users[:, None] * m + top
    place = np.minimum(np.searchsorted(keys, asked), len(keys) - 1)
    return np.asarray((keys[place] == asked) & (top >= 0))


def ranking(top: Ints, test: Matrix, at: Sequence[int] = (10, 20, 30)) -> dict[str, Floats]:
    """Accuracy of every user's recommendations, `(n,)` each, by "measure@K"; nan for users without test items.

    With h_j = 1 where the item in place j is a test item of the user, and t test items:
        ndcg@K              sum_j<=K h_j / log2(j + 1), over the same sum of min(K, t) ones
        ndcg_untruncated@K  the same over the sum of t ones, as the code of FairMI does: lower where t > K
        recall@K            sum_j<=K h_j / t
        hit@K               1 if any h_j<=K

    Args:
        top: `(n, k)` items, best first; -1 where there is none.
        test: `(n, m)` CSR matrix; its stored entries are the test items.
        at: the K, none above k.

    Raises:
        ValueError: a K is above k or below 1, or the numbers of users differ.

    Sources: K. Jarvelin and J. Kekalainen, Cumulated gain-based evaluation of IR techniques, 2002; C. Zhao et al.,
    Fair representation learning for recommendation: a mutual information perspective, AAAI 2023.
    """
    if wrong := [k for k in at if not 1 <= k <= top.shape[1]]:
        raise ValueError(f"measures at {wrong[0]} need as many recommended items; there are {top.shape[1]}")
    hit = hits(top, test)
    sizes = np.diff(test.indptr).astype(np.int64)
    known = sizes > 0
    discounts = 1 / np.log2(np.arange(2, max(top.shape[1], int(sizes.max(initial=0))) + 2))
    ideal = np.concatenate([[0.0], np.cumsum(discounts)])
    gained = np.cumsum(hit * discounts[: top.shape[1]], axis=1)
    counted = np.cumsum(hit, axis=1)
    of_known = np.where(known, 1.0, np.nan)
    sizes = np.maximum(sizes, 1)
    found: dict[str, Floats] = {}
    for k in at:
        found[f"ndcg@{k}"] = of_known * gained[:, k - 1] / ideal[np.minimum(k, sizes)]
        found[f"ndcg_untruncated@{k}"] = of_known * gained[:, k - 1] / ideal[sizes]
        found[f"recall@{k}"] = of_known * counted[:, k - 1] / sizes
        found[f"hit@{k}"] = of_known * (counted[:, k - 1] > 0)
    return found


def averages(per_user: Mapping[str, Floats]) -> dict[str, float]:
    """The mean of every measure over the users that have it; nan if none has."""
    means = {}
    for name, values in per_user.items():
        known = values[~np.isnan(values)]
        means[name] = float(known.mean()) if len(known) else float("nan")
    return means
