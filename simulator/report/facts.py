"""What a run comes to: its figures per stakeholder and over all rounds."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from simulator.faults import FAULTS, REPAIRS
from simulator.runs import Run

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Served:
    """One stakeholder over the whole run; nan where a figure was not logged.

    Attributes:
        name: the stakeholder.
        utility, worst: mean and smallest utility of the delivered slates.
        alignment, baseline: mean alignment of its proposals, and of equal weights with the right signs.
        agreement: mean Kendall tau between its last ballot and the outcome.
        dry_spell: most rounds in a row without an item of its own top k.
        accepted: share of rounds whose outcome it accepted in the end.
        tokens: prompt and completion tokens.
        faults, repairs: how many of each kind, only those that occurred.
    """

    name: str
    utility: float
    worst: float
    alignment: float
    baseline: float
    agreement: float
    dry_spell: float
    accepted: float
    tokens: int
    faults: dict[str, int]
    repairs: dict[str, int]

    @property
    def gap_closed(self) -> float:
        """Share of the way from the baseline to 1 that the alignment goes; nan where the baseline leaves no way."""
        return gap_closed(self.alignment, self.baseline)


def served(run: Run) -> list[Served]:
    """Every stakeholder, in scenario order."""
    if run.stakeholders.empty:
        return []
    return [_served(name, run.stakeholders[run.stakeholders["stakeholder"] == name]) for name in run.names]


def _served(name: str, rows: pd.DataFrame) -> Served:
    def known(column: str) -> list[float]:
        return rows[column].dropna().astype(float).tolist() if column in rows else []

    return Served(
        name=name,
        utility=mean(known("utility")),
        worst=min(known("utility"), default=math.nan),
        alignment=mean(known("alignment")),
        baseline=mean(known("alignment_equal_weights")),
        agreement=mean(known("kendall_tau")),
        dry_spell=max(known("dry_spell"), default=math.nan),
        accepted=mean(known("accepted")),
        tokens=int(sum(known("prompt_tokens")) + sum(known("completion_tokens"))),
        faults={fault: int(count) for fault in FAULTS if (count := sum(known(fault)))},
        repairs={repair: int(count) for repair in REPAIRS if (count := sum(known(repair)))},
    )


def gap_closed(alignment: float, baseline: float) -> float:
    """(alignment - baseline) / (1 - baseline): 0 = no better than equal weights, 1 = perfect; nan if baseline >= 1."""
    return (alignment - baseline) / (1 - baseline) if baseline < 1 else math.nan


def mean(values: Iterable[float]) -> float:
    """The mean of the values that are numbers; nan of none."""
    known = [value for value in values if not math.isnan(value)]
    return float(np.mean(known)) if known else math.nan
