"""Long runs made legible: neighbouring rounds are averaged until a line has few enough points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

MOST_POINTS = 50


def rounds_per_point(rounds: int, most: int = MOST_POINTS) -> int:
    """How many rounds one point stands for: 1 up to `most` rounds, then as few as suffice."""
    return max(1, -(-rounds // most))


def thin(table: pd.DataFrame, most: int = MOST_POINTS) -> pd.DataFrame:
    """Means of `rounds_per_point` neighbouring rows (the last group may be smaller); the index is their middle."""
    step = rounds_per_point(len(table), most)
    if step == 1:
        return table
    group = np.arange(len(table)) // step
    thinned = table.groupby(group).mean()
    thinned.index = table.index.to_series().groupby(group).mean()
    return thinned


def round_axis_label(rounds: int, most: int = MOST_POINTS) -> str:
    """What the x axis shows."""
    step = rounds_per_point(rounds, most)
    return "round" if step == 1 else f"round (each point is the mean of {step} rounds)"
