"""How different the personas of one table are from each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulator.llmfosa.annotations import Persona

# Words that stand in every description and tell nobody apart.
_FILLERS = frozenset(
    re.findall(
        r"\w+",
        "a an and as at by for from has have he her his in into is it of old on or she than that the they this to what "
        "which who with years your you",
    )
)


@dataclass(frozen=True, slots=True)
class Diversity:
    """What was measured of P personas.

    Attributes:
        distance: 1 - mean cosine of TF-IDF over all pairs, in [0, 1]; 1 if no two share a word, 0 for one persona.
        nearest: The smallest 1 - cosine of any pair; 0 if two are worded alike.
        names: The number of distinct names, letter case and numbering aside.
    """

    distance: float
    nearest: float
    names: int


def similarity(texts: Sequence[str]) -> NDArray[np.float64]:
    """`(P, P)` cosines of TF-IDF vectors: counts times (ln((1 + P) / (1 + df)) + 1), as in scikit-learn.

    A text without a word is similar to none, itself included.
    """
    words = [[word for word in re.findall(r"\w{2,}", text.casefold()) if word not in _FILLERS] for text in texts]
    vocabulary = {word: place for place, word in enumerate(sorted({word for text in words for word in text}))}
    counts = np.zeros((len(texts), len(vocabulary)))
    for row, text in enumerate(words):
        np.add.at(counts[row], [vocabulary[word] for word in text], 1.0)
    weighted = counts * (np.log((1 + len(texts)) / (1 + np.count_nonzero(counts, axis=0))) + 1)
    length = np.linalg.norm(weighted, axis=1, keepdims=True)
    unit = np.divide(weighted, length, out=np.zeros_like(weighted), where=length > 0)
    return np.asarray(unit @ unit.T)


def diversity(personas: Sequence[Persona]) -> Diversity:
    """How different the personas' descriptions are, and how many names they have."""
    names = len({plain_name(persona.name) for persona in personas})
    if len(personas) < 2:
        return Diversity(0.0, 0.0, names)
    cosines = similarity([f"{persona.name} {persona.description}" for persona in personas])
    pairs = 1.0 - cosines[np.triu_indices(len(personas), 1)]
    return Diversity(float(np.clip(pairs.mean(), 0, 1)), float(np.clip(pairs.min(), 0, 1)), names)


def plain_name(name: str) -> str:
    """A name without case, numbering and titles' punctuation: "Anthropologist 2" is another anthropologist."""
    return " ".join(re.findall(r"[^\W\d_]+", name.casefold()))
