"""Everything that is measured of one trained recommender."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from simulator.llmfosa.annotations import Annotations
from simulator.llmfosa.interactions import Interactions
from simulator.llmfosa.measures import (
    Attack,
    attack,
    attribute_quality,
    averages,
    by_group,
    demographic_parity,
    equal_opportunity,
    floor,
    ranking,
    top_items,
)
from simulator.seeds import child_seed

if TYPE_CHECKING:
    from simulator.llmfosa.methods.base import Trained

AT = (10, 20, 30)
LEAVE_OUT = ("train+valid", "train")


def evaluate(
    trained: Trained,
    data: Interactions,
    attribute: str | None,
    *,
    seed: int,
    annotations: Annotations | None = None,
    at: Sequence[int] = AT,
    permutations: int = 100,
    leave_out: str = LEAVE_OUT[0],
) -> tuple[dict[str, float], Attack | None]:
    """Figures by the names of the tables, and the attackers.

    Recommendations are the full ranking of the items that are not left out.
    `ndcg@K[value]` is the accuracy of one group, for the first K. `auc_*` attacks all users in five folds;
    `unseen_auc_*` tests on the users whose true label was hidden from a method that sees true labels, for methods that
    see none everybody is such a user.

    Args:
        trained: The recommender.
        data: Its test part and true attributes are used here and nowhere else.
        attribute: Whose groups are compared; None measures accuracy alone.
        seed: Of permutations and attackers.
        annotations: Whose confusion matrices, counted with the true values, the estimated ones are compared with.
        at: Lengths of the lists.
        permutations: Of the floors.
        leave_out: Which of a user's items are never recommended: those of the training and the validation part, or
            "train", those of the training part alone, as in the code of FairMI, whose figures are lower for it.

    Raises:
        ValueError: There is no such part to leave out.
    """
    if leave_out not in LEAVE_OUT:
        raise ValueError(f"cannot leave out {leave_out!r}; choose {' or '.join(LEAVE_OUT)}")
    at = [k for k in at if k <= data.shape[1]] or [data.shape[1]]
    seen = (data.train + data.valid).tocsr() if leave_out == LEAVE_OUT[0] else data.train.tocsr(copy=True)
    seen.sort_indices()
    top = top_items(trained.users, trained.items, seen, max(at))
    per_user = ranking(top, data.test, at)
    figures = averages(per_user)
    found: Attack | None = None
    if attribute is not None:
        codes, values = data.attributes[attribute].codes, data.attributes[attribute].values
        items = data.shape[1]
        draw = child_seed(seed, "llmfosa", "floors") % 2**32
        for k in at:
            shown = top[:, :k]
            figures[f"dp@{k}"] = demographic_parity(shown, codes, items)
            figures[f"eo@{k}"] = equal_opportunity(shown, data.test, codes, items)
            figures[f"dp_floor@{k}"] = floor(shown, codes, items, permutations=permutations, seed=draw).mean
            figures[f"eo_floor@{k}"] = floor(
                shown, codes, items, test=data.test, permutations=permutations, seed=draw
            ).mean
            groups = by_group(per_user[f"ndcg@{k}"], codes, len(values))
            figures[f"ndcg_gap@{k}"] = groups.gap
            if k == at[0]:
                figures.update(
                    {f"ndcg@{k}[{name}]": float(mean) for name, mean in zip(values, groups.means, strict=True)}
                )
        try:
            found = attack(trained.users, codes, seed=seed % 2**32)
        except ValueError:  # too few users of two values: there is nobody to train an attacker on
            found = None
        if found is not None:
            figures.update({f"auc_{name}": value for name, value in found.auc.items()})
            figures.update(_unseen(trained, codes, seed % 2**32))
        figures.update(_quality(trained, codes, len(values), annotations))
    return figures, found


def _unseen(trained: Trained, codes: np.ndarray, seed: int) -> dict[str, float]:
    """Attacks on the users whose label was hidden; none where they are too few."""
    if trained.unseen is None or not trained.unseen.any():
        return {}
    try:
        found = attack(trained.users, codes, seed=seed, unseen=trained.unseen)
    except ValueError:
        return {}
    return {f"unseen_auc_{name}": value for name, value in found.auc.items()}


def _quality(trained: Trained, codes: np.ndarray, values: int, annotations: Annotations | None) -> dict[str, float]:
    """How good the belief is, on users whose true label the method did not see."""
    from simulator.llmfosa.crowds import empirical_confusion

    belief = trained.belief
    if belief is None:
        return {}
    hidden = codes if trained.unseen is None else np.where(trained.unseen, codes, -1)
    if not (hidden >= 0).any():
        return {}
    true = None
    if belief.confusion is not None and annotations is not None:
        true = empirical_confusion(annotations.labels[:, : len(belief.confusion)], codes, values)
    found = attribute_quality(belief.posterior, hidden, belief.confusion, true)
    figures = {
        "attribute_auc": found.auc,
        "attribute_accuracy": found.accuracy,
        "attribute_ece": found.ece,
        "attribute_brier": found.brier,
    }
    if true is not None:
        figures["confusion_error"] = found.confusion_error
    return figures
