"""How well embeddings rank the validation part: what early stopping looks at, never the attribute."""

from __future__ import annotations

from torch import Tensor

from simulator.llmfosa.interactions import Interactions

AT = 10


def validation_ndcg(data: Interactions, users: Tensor, items: Tensor) -> float:
    """Mean NDCG@10 over the users who have an item in the validation part."""
    import numpy as np

    from simulator.llmfosa.measures import ranking, top_items

    x, y = users.detach().cpu().numpy(), items.detach().cpu().numpy()
    rows = np.flatnonzero(np.diff(data.valid.indptr))
    if not len(rows):
        return 0.0
    top = top_items(x, y, data.train, AT, rows=rows)
    return float(np.nanmean(ranking(top, data.valid[rows], (AT,))[f"ndcg@{AT}"]))
