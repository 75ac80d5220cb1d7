"""Personas written by hand, for models that are too small to write good ones."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from simulator.llmfosa.annotations import Persona


@cache
def shipped_personas() -> tuple[Persona, ...]:
    """Twelve observers of different discipline, background, age, region and habit of reasoning."""
    text = files(__package__).joinpath("personas.json").read_text(encoding="utf-8")
    return tuple(Persona(**entry) for entry in json.loads(text))
