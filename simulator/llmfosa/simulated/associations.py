"""What six made-up observers associate with genres: written from common clichés, not from any data.

They are wrong about many people, which is their use: they stand for annotators who share prejudices.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from simulator.llmfosa.annotations import Persona


@dataclass(frozen=True)
class Stereotype:
    """A persona with its lean in [-1, 1] for genres: negative towards the first value, positive towards the last."""

    persona: Persona
    leans: Mapping[str, float]


def _list(name: str, description: str, first: str, last: str) -> Stereotype:
    """Genres that lean to the first and to the last value, the strongest first: 1, then 0.8, 0.6, ..."""
    leans = {}
    for sign, words in ((-1.0, first), (1.0, last)):
        for place, genre in enumerate(words.split()):
            leans[genre] = sign * (1 - 0.2 * place)
    return Stereotype(Persona(name, description), MappingProxyType(leans))


_GENDER = (
    _list("film critic", "Thinks in schools and canons.", "Romance Musical Drama", "War Sci-Fi Action"),
    _list("teenager", "Judges by what classmates talk about.", "Romance Comedy Children's", "Action Horror Sci-Fi"),
    _list("grandparent", "Remembers who went to which matinee.", "Musical Romance Children's", "Western War Crime"),
    _list("video shop clerk", "Knows who rents what on a Friday.", "Romance Children's Drama", "Action Thriller Crime"),
    _list("sociologist", "Reads tastes as roles.", "Romance Children's Animation Drama", "Sci-Fi War Adventure Action"),
    _list(
        "advertiser", "Sorts audiences into target groups.", "Romance Musical Comedy", "Action Horror Film-Noir Sci-Fi"
    ),
)
_AGE = (
    _list("film critic", "Thinks in schools and canons.", "Horror Sci-Fi Action", "Film-Noir Drama War"),
    _list("teenager", "Judges by what classmates talk about.", "Horror Animation Comedy", "War Western Musical"),
    _list("grandparent", "Remembers who went to which matinee.", "Children's Animation Fantasy", "Musical Western War"),
    _list("video shop clerk", "Knows who rents what on a Friday.", "Action Horror Comedy", "Drama Mystery Western"),
    _list("sociologist", "Reads tastes as roles.", "Children's Comedy Sci-Fi", "Drama Documentary War"),
    _list("advertiser", "Sorts audiences into target groups.", "Animation Action Fantasy", "Romance Film-Noir Drama"),
)

ASSOCIATIONS: Mapping[str, tuple[Stereotype, ...]] = MappingProxyType(
    {"gender": _GENDER, "age": _AGE, "group": _GENDER}
)
"""Six lists for each attribute that can be judged; "group" is the attribute of synthetic data."""

POPULATION: Mapping[str, Mapping[str, float]] = MappingProxyType({"gender": MappingProxyType({"F": 0.3, "M": 0.7})})
"""Shares that an observer assumes without looking: early film sites were used by men for the larger part."""
