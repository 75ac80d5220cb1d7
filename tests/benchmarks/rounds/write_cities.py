"""Write cities.csv: two hundred made-up cities with the columns of a real catalogue."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
SCALES = {
    "popularity": ("Low", "Medium", "High"),
    "budget": ("Low", "Medium", "High"),
    "walkability": ("Bad", "Okay", "Great"),
    "aqi": ("Unhealthy", "Unhealthy for some", "Moderate", "Good", "Great"),
}
SEASONS = ("low_season", "medium_season", "high_season")
COUNTS = ("n_see", "n_do")


def main() -> None:
    """Write the file beside this one."""
    draw = np.random.default_rng(20)
    with (Path(__file__).parent / "cities.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["city", *SCALES, *SEASONS, *COUNTS])
        for number in range(1, 201):
            levels = ["" if draw.random() < 0.08 else str(draw.choice(scale)) for scale in SCALES.values()]
            season = draw.integers(3, size=12)
            months = ["|".join(m for m, s in zip(MONTHS, season, strict=True) if s == kind) for kind in range(3)]
            counts = ["" if draw.random() < 0.05 else int(draw.geometric(0.08)) for _ in COUNTS]
            writer.writerow([f"City {number:03d}", *levels, *months, *counts])


if __name__ == "__main__":
    main()
