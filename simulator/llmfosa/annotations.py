"""What annotators make of the users: one table of user x persona, and one summary a user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Persona:
    """An observer with a background of its own, who looks at a user's history.

    Attributes:
        name: A short name, unique among the personas of one table.
        description: Who it is and how it reasons, in one or two sentences.
    """

    name: str
    description: str


@dataclass(frozen=True, eq=False)
class Annotations:
    """Labels of n users by P personas over A values.

    Attributes:
        attribute: What was judged, such as "gender".
        values: The A values by name, in the order of their codes.
        personas: The P annotators.
        users: The n user ids, as in the interactions that were shown.
        labels: `(n, P)` codes; -1 where an annotator abstained or its answer could not be read.
        confidence: `(n, P)` in [0, 1]; NaN where there is none.
        rationales: n sequences of P texts; "" where there is none.
        summaries: n texts of the Meta Summarizer; "" where there is none.
        probabilities: `(n, P, A)` calibrated probabilities of the values, NaN where there are none; or None.
        origin: What answered, such as a model's name or "simulated: independent errors".
    """

    attribute: str
    values: tuple[str, ...]
    personas: tuple[Persona, ...]
    users: tuple[str, ...]
    labels: NDArray[np.int64]
    confidence: NDArray[np.float64]
    rationales: Sequence[Sequence[str]]
    summaries: Sequence[str]
    probabilities: NDArray[np.float64] | None = None
    origin: str = ""
