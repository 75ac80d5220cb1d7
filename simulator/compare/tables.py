"""The tables of a comparison as files: CSV for programs, LaTeX for papers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.compare.latex import booktabs, escape, number, with_half

if TYPE_CHECKING:
    import pandas as pd

    from simulator.compare.comparison import Comparison


def tables(comparison: Comparison) -> Mapping[str, pd.DataFrame]:
    """Every table by the name of its file."""
    agreement, counts = comparison.agreement
    return {
        "observations": comparison.observations,
        "summary": comparison.summary,
        "differences": comparison.differences,
        "stakeholders": comparison.stakeholders,
        "fronts": comparison.fronts,
        "agreement": agreement.rename_axis("label").reset_index(),
        "agreement_rounds": counts.rename_axis("label").reset_index(),
    }


def write_tables(comparison: Comparison, folder: Path) -> list[Path]:
    """Write `<table>.csv` for every table, and `summary.tex` and `differences.tex` for papers."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name, frame in tables(comparison).items():
        files.append(folder / f"{name}.csv")
        frame.to_csv(files[-1], index=False, lineterminator="\n")
    for name, text in (("summary", summary_latex(comparison)), ("differences", differences_latex(comparison))):
        files.append(folder / f"{name}.tex")
        files[-1].write_text(text, encoding="utf-8")
    return files


def summary_latex(comparison: Comparison) -> str:
    """Groups down, metrics across: mean and half width of the 95% interval, as a booktabs table."""
    frame = comparison.summary
    body = []
    for label in comparison.labels:
        cells = []
        for metric in comparison.metrics:
            row = frame[(frame["label"] == label) & (frame["metric"] == metric)].iloc[0]
            cells.append(with_half(row["mean"], row["high"] - row["mean"]))
        body.append([escape(label), *cells])
    seeds = _seeds(comparison)
    return booktabs(["", *map(escape, comparison.metrics)], body, f"Mean and 95\\% interval over {seeds}.")


def differences_latex(comparison: Comparison) -> str:
    """One row a group and metric: the paired difference to the baseline, its interval and Holm's p."""
    body = [
        [
            escape(row["label"]),
            escape(row["metric"]),
            number(row["difference"]),
            f"[{number(row['low'])}, {number(row['high'])}]",
            _p(row["p_holm"]),
        ]
        for _, row in comparison.differences.iterrows()
    ]
    note = f"Paired differences to {escape(str(comparison.baseline))}; p by Holm's correction."
    return booktabs(["", "metric", "difference", "95\\% interval", "$p$"], body, note)


def _seeds(comparison: Comparison) -> str:
    counts = comparison.observations.groupby("label")["seed"].nunique()
    low, high = int(counts.min()), int(counts.max())
    return f"{low} seeds" if low == high else f"{low} to {high} seeds"


def _p(value: float) -> str:
    if math.isnan(value):
        return "--"
    return "$<$.001" if value < 0.001 else f"{value:.3f}"
