"""Publishing a round: the drawn items with their attributes at this moment of the world."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simulator.catalogue import Attribute, normalise
from simulator.profile import Floats, Ints
from simulator.requests import Request
from simulator.state import Moment, WorldState
from simulator.table import Candidates

if TYPE_CHECKING:
    from simulator.scenario import Scenario


class Publisher:
    """Computes attributes only as often as they can change: once, per request and month, or every round."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._normalisations = [attribute.normalisation for attribute in scenario.attributes]
        self._fixed: dict[str, Floats] = {}
        self._by_request: dict[tuple[str, str, int | None], Floats] = {}
        self._attributes = {attribute.name: attribute for attribute in scenario.attributes}

    def candidates(self, request: Request, state: WorldState, rows: Ints) -> Candidates:
        """The items of these rows of the catalogue, with raw and normalised attribute values."""
        moment = Moment(self._scenario.catalogue, request, state)
        attributes = self._scenario.attributes
        values = np.stack([self._values(attribute, moment)[rows] for attribute in attributes])
        normalised = normalise(values, self._normalisations)
        for array in (values, normalised):
            array.flags.writeable = False  # stakeholders are given them, and one of them may be anybody's code
        ids = self._scenario.catalogue.ids
        return Candidates(tuple(ids[row] for row in rows.tolist()), attributes, values, normalised)

    def values(self, name: str, request: Request, state: WorldState) -> Floats:
        """An attribute's values `(N,)` for all items of the catalogue at this moment of the world; nan = missing."""
        return self._values(self._attributes[name], Moment(self._scenario.catalogue, request, state))

    def _values(self, attribute: Attribute, moment: Moment) -> Floats:
        name = attribute.name
        if name in self._fixed:
            return self._fixed[name]
        derivation = self._scenario.derivations.get(name)
        if derivation is None:
            column = self._scenario.columns[name]
            catalogue = moment.catalogue
            read = catalogue.levels(column, attribute.labels) if attribute.labels else catalogue.numbers(column)
            return self._fixed.setdefault(name, read)
        if derivation.depends_on == "catalogue":
            return self._fixed.setdefault(name, derivation.compute(moment))
        if derivation.depends_on == "state":
            return derivation.compute(moment)
        key = (name, moment.request.id, moment.month)
        if key not in self._by_request:
            self._by_request[key] = derivation.compute(moment)
        return self._by_request[key]
