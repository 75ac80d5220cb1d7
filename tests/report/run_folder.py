"""A made-up run in a folder as runs leave them, with a scenario, a catalogue with coordinates, and dynamics."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import yaml

from simulator.runs.folder import RunFolder
from tests.fake_run import (
    ATTRIBUTES,
    CITIES,
    HOSTILE_ITEMS,
    HOSTILE_STAKEHOLDERS,
    MANIFEST,
    SCRIPT,
    STAKEHOLDERS,
    fake_records,
    play,
)

LONG = "ten thousand letters "[:20] * 500  # 10,000 characters
NASTY = f"{SCRIPT} \u202egnp.exe 🏨🗼 שלום مرحبا <img src=https://example.org/x.png onerror=alert(1)> {LONG}"


def run_folder(out: Path, rounds: int = 6, stakeholders: int = 4, *, hostile: bool = False, **options: Any) -> Path:
    """Write the folder; what `fake_records` says of crowding is what the scenario's dynamics give.

    Args:
        out: where the folder is made.
        rounds, stakeholders, **options: as in `fake_records`.
        hostile: names, personas, goals and replies hold markup, text from right to left, emoji and 10,000 letters.
    """
    names = (HOSTILE_STAKEHOLDERS if hostile else STAKEHOLDERS)[:stakeholders]
    items = HOSTILE_ITEMS if hostile else CITIES
    if hostile:
        options = {"argument": NASTY, "items": 8, **options}
    folder = RunFolder.create(
        out,
        scenario_slug="made up",
        resolved_yaml=yaml.safe_dump(_keys(names, NASTY if hostile else "You care."), allow_unicode=True),
        inputs={"inputs/items.csv": _catalogue(items)},
        manifest={**MANIFEST, "rounds_asked": rounds, **({"title": NASTY, "warnings": [NASTY]} if hostile else {})},
    )
    with folder:
        play(folder, fake_records(rounds, len(names), hostile=hostile, **options))
    return folder.path


def _keys(names: tuple[str, ...], words: str) -> dict[str, Any]:
    return {
        "title": "A week in Europe",
        "description": words,
        "k": 3,
        "catalogue": {
            "file": "inputs/items.csv",
            "id": "name",
            "candidates": {"draw": "random", "count": 20},
            "attributes": {
                **{name: {"more": f"much {name}", "less": f"little {name}"} for name in ATTRIBUTES},
                "crowding": {"derive": "state(array=crowding)", "unit": "visits"},
            },
        },
        "stakeholders": [
            {
                "name": name,
                "agent": "llm",
                "persona": words,
                "goal": words,
                "objective": {"budget": -0.6, words[:200]: 0.4} if place else "request",
            }
            for place, name in enumerate(names)
        ],
        "mediator": "borda",
        "protocol": {"name": "deliberation", "turns": 2},
        "hearing": f"star(center={names[0]})" if names[0].isalpha() else "complete",
        "dynamics": ["crowding(decay=0.8)"],
    }


def _catalogue(items: tuple[str, ...]) -> bytes:
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(["name", "latitude", "longitude"])
    lines.writerows([item, 36 + (7 * place) % 29, -9 + (11 * place) % 43] for place, item in enumerate(items))
    return text.getvalue().encode()
