"""Make the data of this folder again, to the byte: `python -m scenarios.recommendation.generate`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from simulator.llmfosa.bridge import factorise
from simulator.llmfosa.bridge.folder import POSTERIOR, TRUTH, write_tables
from simulator.llmfosa.crowds import dawid_skene
from simulator.llmfosa.simulated import independent
from simulator.llmfosa.synthetic import generate
from simulator.seeds import generator

SEED = 7
USERS, ITEMS, ARRIVING, LENGTH = 400, 200, 60, 20
ATTRIBUTE, VALUES = "group", ("a", "b")
FIRST = (
    "Amber", "Broken", "Crimson", "Distant", "Empty", "Frozen", "Gilded", "Hidden", "Idle", "Jade", "Last", "Midnight",
    "Northern", "Open", "Paper", "Quiet", "Restless", "Silver", "Thirteenth", "Winter",
)  # fmt: skip
SECOND = (
    "Bridge", "Compass", "Door", "Ferry", "Garden", "Harbour", "Island", "Lantern", "Mirror", "Orchard", "River",
    "Station", "Tower", "Voyage",
)  # fmt: skip
STUDIOS = (
    "Alder", "Beacon", "Cobalt", "Driftwood", "Everline", "Foxglove", "Granite", "Halcyon", "Ironwood", "Juniper",
)  # fmt: skip


def main(folder: Path) -> None:
    """Write the tables and the truth into a folder."""
    data = generate(USERS, ITEMS, seed=SEED, shift=1.0, per_user=30, values=VALUES, attribute=ATTRIBUTE)
    rng = generator(SEED, "scenarios", "recommendation")
    pairs = rng.permutation(len(FIRST) * len(SECOND))[:ITEMS]
    titles = tuple(f"{FIRST[pair // len(SECOND)]} {SECOND[pair % len(SECOND)]}" for pair in pairs.tolist())
    sizes = 1 / np.arange(1, len(STUDIOS) + 1)  # Zipf: a few studios make most titles
    studios = [STUDIOS[at] for at in rng.choice(len(STUDIOS), ITEMS, p=sizes / sizes.sum()).tolist()]
    data = replace(data, titles=titles)
    users, items = factorise(data.train, seed=SEED)
    crowd = dawid_skene(independent(data, ATTRIBUTE, seed=SEED).labels, len(VALUES))
    write_tables(
        folder, users, items, data, crowd.posterior, VALUES,
        attribute=ATTRIBUTE, count=ARRIVING, length=LENGTH, providers=studios, truth=True, seed=SEED,
    )  # fmt: skip
    for name in (POSTERIOR, TRUTH):  # of made-up people, which anybody may read
        (folder / name).chmod(0o644)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
