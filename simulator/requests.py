"""What a round is about: a request with its own words, its wishes as a canonical sentence and as an objective."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip

_PLACEHOLDER = re.compile(r"\{request\.([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Request:
    """One request.

    Attributes:
        id: its name.
        text: its own words, for models that understand them; "" if it has none.
        wish: the same wishes in the canonical form that small models read; "" if it states none.
        objective: signed weights that quantify the wishes; empty if it states none.
        phrases: the words of each attribute in `objective`, where the request has its own.
        filters: what it asks for, by name.
        fields: everything else that its file says about it.
        month: the month it is about, 1 to 12, or None.
        scores: what a recommender has put on its list, with its score, by item; empty without a list.
        membership: shares of the scenario's groups of users in who asks, inferred and adding up to 1; nobody at the
            table is shown it, and no log holds it.
        unspoken: wishes that no attribute of the catalogue speaks of, or that contradict an earlier one, or that come
            after the most that the canonical form can order; left out openly.
    """

    id: str
    text: str = ""
    wish: str = ""
    objective: Mapping[str, float] = field(default_factory=dict)
    phrases: Mapping[str, str] = field(default_factory=dict)
    filters: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    month: int | None = None
    unspoken: tuple[str, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict, repr=False)
    membership: tuple[float, ...] = field(default=(), repr=False)

    @property
    def shown(self) -> Request:
        """The request as the table sees it: without what was inferred about who asks."""
        return replace(self, membership=()) if self.membership else self

    def fill(self, template: str) -> str:
        """Replace `{request.wish}`, `{request.text}` and `{request.<field>}`; unknown fields become ""."""

        def value(match: re.Match[str]) -> str:
            name = match[1]
            if name in ("id", "text", "wish"):
                return str(getattr(self, name))
            found = self.fields.get(name, self.filters.get(name))
            return "" if found is None else str(found)

        return _PLACEHOLDER.sub(value, template)


def placeholders(template: str) -> list[str]:
    """Names of the request's fields that a template mentions."""
    return _PLACEHOLDER.findall(template)


def month_number(name: str) -> int | None:
    """1 to 12 for an English month name in any case, else None."""
    found = name.strip().capitalize()
    return MONTHS.index(found) + 1 if found in MONTHS else None
