"""What a stakeholder sees when it is asked: the request, the candidates, and what was said so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from simulator.catalogue import Attribute
from simulator.outcome import Outcome
from simulator.profile import Floats, Proposal
from simulator.requests import Request


@dataclass(frozen=True)
class Candidates:
    """The items of one round with their attributes.

    Attributes:
        ids: the m items.
        attributes: the J attributes.
        values: `(J, m)` in the attributes' units, nan = missing.
        normalised: `(J, m)` on [0, 1], missing = 0.5.
    """

    ids: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    values: Floats
    normalised: Floats

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Place of every item in `ids`; read-only, for everyone at the table shares it."""
        return MappingProxyType({item: place for place, item in enumerate(self.ids)})

    @cached_property
    def attribute_index(self) -> Mapping[str, int]:
        """Row of every attribute in `values`; read-only like `index`."""
        return MappingProxyType({attribute.name: row for row, attribute in enumerate(self.attributes)})

    def describe(self, item: str, names: tuple[str, ...] = ()) -> str:
        """An item's attributes in words, such as `budget: Low; venues: 21 listings`; all attributes by default.

        Private attributes are left out.
        """
        column = self.index[item]
        parts = []
        for name in names or tuple(self.attribute_index):
            attribute = self.attributes[self.attribute_index[name]]
            if attribute.private:
                continue
            value = self.values[self.attribute_index[name], column]
            if np.isnan(value):
                shown = "unknown"
            elif attribute.labels:
                shown = attribute.labels[int(value)]
            else:
                shown = f"{value:.6g} {attribute.unit}".rstrip()
            parts.append(f"{name.replace('_', ' ')}: {shown}")
        return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class Advice:
    """What the textbook strategy of a protocol would do in a stakeholder's place, by what its own ballot declared.

    Attributes:
        slate: the slate it would offer now, as item indices; None if it would not offer any.
        accept: whether it would accept the slate on the table; None where nothing is to be accepted.
        reason: why, in words.
    """

    slate: tuple[int, ...] | None = None
    accept: bool | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """One question to one stakeholder.

    Attributes:
        round, turn: both count from 1.
        request: what the round is about.
        candidates: the items on the table.
        k: how many will be delivered.
        tentative: the outcome on the table, None when the first proposals are asked.
        justification: why the mediator decided so, in words.
        arguments: what the others said, by name, when the protocol shows it; those alone whom it hears.
        offers: slates that others have on the table, by name, in protocols where parties make offers.
        advice: what the protocol's textbook strategy would do; stakeholders are free to do something else.
        own: the stakeholder's ballot that led to the tentative outcome.
        last: whether no further turn follows.
    """

    round: int
    turn: int
    request: Request
    candidates: Candidates
    k: int
    tentative: Outcome | None = None
    justification: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict)
    offers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    advice: Advice | None = None
    own: Proposal | None = None
    last: bool = False


@dataclass(frozen=True, slots=True)
class Response:
    """A stakeholder's answer to a tentative outcome.

    Attributes:
        verdict: `accept` it, or `revise` and go on.
        proposal: its new ballot if it revises and another turn follows; None keeps its ballot.
        argument: why, in its own words; "" if it gives none.
        details: what the log keeps beside it.
        faults, prompt_tokens, completion_tokens, calls: as in a proposal, for this answer and its ballot together.
    """

    verdict: Literal["accept", "revise"]
    proposal: Proposal | None = None
    argument: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    faults: Mapping[str, int] = field(default_factory=dict)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    calls: int = 0
