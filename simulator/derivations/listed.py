"""The score that the request's own list gives an item."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulator.derivations.base import Derivation
from simulator.profile import Floats
from simulator.registry import register
from simulator.requests import Request
from simulator.state import Moment


@register("derivation", "listed")
@dataclass(frozen=True)
class Listed(Derivation):
    """x(a) = the score of a on the request's list, as its recommender gave it; missing if it is not on it."""

    depends_on = "request"

    def check_request(self, request: Request) -> list[str]:
        """The request must have a list."""
        return [] if request.scores else ["has no list; name one in 'requests.lists'"]

    def compute(self, moment: Moment) -> Floats:
        """Scores `(N,)`."""
        scores = np.full(len(moment.catalogue), np.nan)
        index = moment.catalogue.index
        scores[[index[item] for item in moment.request.scores]] = list(moment.request.scores.values())
        return scores
