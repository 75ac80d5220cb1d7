"""How good and how unanimous annotations are: agreement always, accuracy where the truth is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.llmfosa.annotations import Annotations

Z = 1.959963984540054  # of a 95 % interval


def agreement(found: Annotations) -> dict[str, float | None]:
    """Fleiss' kappa and Krippendorff's alpha of the labels; None where they are not defined."""
    from simulator.llmfosa.crowds import fleiss_kappa, krippendorff_alpha

    return {
        "fleiss_kappa": _rounded(fleiss_kappa(found.labels)),
        "krippendorff_alpha": _rounded(krippendorff_alpha(found.labels)),
    }


def accuracy(found: Annotations, truth: NDArray[np.int64], seed: int = 0) -> dict[str, Any]:
    """Accuracy of every persona and of the majority vote, with 95 % intervals, beside the share of the largest class.

    Abstentions count as wrong in no figure and are named in each; ties of the vote are drawn by seed. For two values
    also the AUC of the mean probability (or of the share of the votes) of the second value.

    Args:
        found: The annotations of n users.
        truth: `(n,)` true codes, -1 where they are not known.
        seed: For ties of the vote.
    """
    from simulator.llmfosa.crowds import majority

    known = truth >= 0
    votes, winners = majority(found.labels, len(found.values), seed)
    counts = np.bincount(truth[known], minlength=len(found.values))
    score = votes
    if found.probabilities is not None:
        heard = np.asarray(np.isfinite(found.probabilities).all(axis=-1))
        total = np.where(heard[..., None], found.probabilities, 0.0).sum(axis=1)
        score = np.where(heard.sum(axis=1)[:, None] > 0, total / np.maximum(heard.sum(axis=1), 1)[:, None], votes)
    report: dict[str, Any] = {
        "users_with_truth": int(known.sum()),
        "largest_class": {
            "value": found.values[int(counts.argmax())] if known.any() else None,
            "share": _rounded(counts.max() / counts.sum()) if known.any() else None,
        },
        "majority_vote": _right(winners[known], truth[known]),
        "personas": {
            persona.name: _right(found.labels[known, place], truth[known])
            for place, persona in enumerate(found.personas)
        },
    }
    if len(found.values) == 2:
        report["auc"] = _rounded(auc(score[known, 1], truth[known] == 1))
    return report


def wilson(right: int, total: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share; the whole of [0, 1] for no trial.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927).
    """
    if not total:
        return 0.0, 1.0
    share, z2 = right / total, Z * Z
    middle = (share + z2 / (2 * total)) / (1 + z2 / total)
    half = Z * float(np.sqrt(share * (1 - share) / total + z2 / (4 * total * total))) / (1 + z2 / total)
    return max(0.0, middle - half), min(1.0, middle + half)


def auc(scores: NDArray[np.float64], positive: NDArray[np.bool_]) -> float:
    """The probability that a positive scores above a negative, ties counting half; NaN without either."""
    order = np.sort(scores[~positive])
    if not len(order) or not positive.any():
        return float("nan")
    below = np.searchsorted(order, scores[positive], "left") + np.searchsorted(order, scores[positive], "right")
    return float(below.mean() / (2 * len(order)))


def _right(labels: NDArray[np.int64], truth: NDArray[np.int64]) -> dict[str, Any]:
    answered = labels >= 0
    total, right = int(answered.sum()), int((labels[answered] == truth[answered]).sum())
    low, high = wilson(right, total)
    return {
        "answered": total,
        "right": right,
        "accuracy": _rounded(right / total) if total else None,
        "interval": [round(low, 4), round(high, 4)],
    }


def _rounded(value: float) -> float | None:
    return round(float(value), 4) if np.isfinite(value) else None


def accuracy_lines(report: dict[str, Any], names: Sequence[str]) -> list[str]:
    """The report in words, one line a persona, the vote last."""
    rows = [(name, report["personas"][name]) for name in names] + [("majority vote", report["majority_vote"])]
    lines = [
        f"{name}: {row['right']} of {row['answered']} right"
        + (
            f", accuracy {row['accuracy']:.2f} [{row['interval'][0]:.2f}, {row['interval'][1]:.2f}]"
            if row["answered"]
            else ""
        )
        for name, row in rows
    ]
    largest = report["largest_class"]
    if largest["share"] is not None:
        lines.append(f"always saying {largest['value']} would be right for {largest['share']:.2f} of them")
    if report.get("auc") is not None:
        lines.append(f"AUC of the mean probability or share of votes: {report['auc']:.2f} (0.5 is chance)")
    return lines
