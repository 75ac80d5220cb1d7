"""Which items of the catalogue are on the table in a round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simulator.profile import Ints
from simulator.requests import Request
from simulator.rounds.publish import Publisher
from simulator.seeds import generator
from simulator.state import WorldState

if TYPE_CHECKING:
    from simulator.scenario import Scenario


def drawn_rows(
    scenario: Scenario, publisher: Publisher, request: Request, state: WorldState, *, seed: int, number: int
) -> Ints:
    """Rows `(m,)` of the round's candidates, rising.

    `all` and `first` take the drawable rows as they stand; `random` draws them without replacement by the root seed and
    the round's number; `lowest` takes those with the smallest values of the attribute `by` at this moment, such as the
    nearest ones, equal values in catalogue order, missing ones last; `listed` takes what stands on the request's own
    list, the `count` best scored ones if it is longer, equal scores in catalogue order.
    """
    section, drawable = scenario.file.catalogue.candidates, scenario.drawable
    match section.draw:
        case "all":
            return drawable
        case "first":
            return drawable[: section.count]
        case "lowest":
            assert section.by is not None
            values = publisher.values(section.by, request, state)[drawable]
            return np.sort(drawable[np.argsort(values, kind="stable")[: section.count]])
        case "listed":
            scored = np.array([request.scores.get(scenario.catalogue.ids[row], np.nan) for row in drawable.tolist()])
            on_list = np.flatnonzero(~np.isnan(scored))
            best = on_list[np.argsort(-scored[on_list], kind="stable")[: section.count]]
            return np.sort(drawable[best])
    drawn = generator(seed, "candidates", number).choice(drawable, section.count, replace=False)
    return np.sort(drawn)
