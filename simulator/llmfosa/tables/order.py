"""In which order figures stand in a table."""

from __future__ import annotations

from collections.abc import Iterable

ACCURACY = ("ndcg", "ndcg_untruncated", "recall", "hit")
PARITY = ("dp", "dp_floor", "eo", "eo_floor", "ndcg_gap")
ATTACKS = (
    "auc_logistic",
    "auc_mlp",
    "unseen_auc_logistic",
    "unseen_auc_mlp",
    "raw_auc_logistic",
    "raw_auc_mlp",
)
ATTRIBUTE = (
    "attribute_auc",
    "attribute_accuracy",
    "attribute_ece",
    "attribute_brier",
    "attribute_log_loss",
    "confusion_error",
)
COST = ("seconds", "cpu_seconds", "peak_mb", "epochs")


def column_order(names: Iterable[str]) -> tuple[str, ...]:
    """Accuracy, then parity, each by rising K; attacks; the attribute; others by name; cost."""
    return tuple(sorted(dict.fromkeys(names), key=_place))


def decimals(name: str) -> int:
    """Four for shares, as results in this field are printed; one for seconds and megabytes."""
    return 1 if name.partition("@")[0] in COST else 4


def _place(name: str) -> tuple[int, int, int, str]:
    family, _, after = name.partition("@")
    cut = int(after) if after.isdecimal() else 0
    if after and not after.isdecimal():  # one group's share of a figure
        return 4, 0, 0, name
    for block, names in enumerate((ACCURACY, PARITY, ATTACKS, ATTRIBUTE, (), COST)):
        if family in names:
            return block, cut, names.index(family), name
    return 4, cut, 0, name
