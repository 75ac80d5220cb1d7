"""One number a run and metric: what a comparison counts as one observation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from simulator.registry import everything

if TYPE_CHECKING:
    from collections.abc import Mapping

    from simulator.runs.run import Run

_BOOKKEEPING = ("round", "missing_values", "prompt_tokens", "completion_tokens")


def collective_figures(run: Run) -> dict[str, float]:
    """Every numeric column of rounds.csv: the mean over rounds, or the last value of what is cumulative.

    `turns` and `agreed` are counted as well, `agreed` as the share of rounds; a column without a number is left out.
    """
    return _figures(run.rounds, _horizons())


def stakeholder_figures(run: Run) -> dict[str, dict[str, float]]:
    """The same of stakeholders.csv, by metric and stakeholder."""
    horizons = _horizons()
    by_name = {
        str(name): _figures(rows, horizons) for name, rows in run.stakeholders.groupby("stakeholder", sort=False)
    }
    metrics = dict.fromkeys(metric for figures in by_name.values() for metric in figures)
    return {
        metric: {name: figures[metric] for name, figures in by_name.items() if metric in figures} for metric in metrics
    }


def _figures(frame: pd.DataFrame, horizons: Mapping[str, str]) -> dict[str, float]:
    found = {}
    for column in frame.columns:
        values = pd.to_numeric(frame[column], errors="coerce").dropna() if column not in _BOOKKEEPING else None
        if values is None or values.empty or not _is_number(frame[column]):
            continue
        last = horizons.get(column) == "cumulative"
        found[str(column)] = float(values.iloc[-1] if last else values.astype(float).mean())
    return found


def _is_number(column: Any) -> bool:
    return bool(pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column))


def _horizons() -> dict[str, str]:
    return {name: metric.horizon for name, metric in everything("metric", code=False).items()}
