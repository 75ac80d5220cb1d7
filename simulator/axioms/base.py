"""What an axiom is: a statement about every profile, with a search for one on which a rule breaks it."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Literal, TypeVar

import numpy as np

from simulator.axioms.counterexample import Counterexample
from simulator.axioms.subject import Subject
from simulator.mediators.base import Need
from simulator.profile import Profile

T = TypeVar("T")

Search = Callable[[Subject, Profile, int, int | None], Counterexample | None]
"""`search(subject, profile, k, most)`: how the rule breaks the axiom on this profile, None if it does not.

At most `most` changed profiles are looked at, chosen by the profile itself and so always the same; None looks at all.
"""

Part = Literal["contract", "property", "informative"]


@dataclass(frozen=True)
class Axiom:
    """One axiom.

    Attributes:
        name: what reports and `Mediator.properties` call it.
        part: `contract` if every mediator must hold it, `property` if a mediator may claim it, `informative` if it is
            only told.
        says: the axiom in one sentence.
        search: how a rule breaks it on a profile.
        any_ballots: whether it is asked on ballots of every kind; else on those that the rule reads (`needs`).
        only_on: the kind of ballots that it is about; rules that read others are not asked. None = any.
    """

    name: str
    part: Part
    says: str
    search: Search
    any_ballots: bool = False
    only_on: Need | None = None


def picked(changes: Iterable[T], most: int | None, profile: Profile) -> list[T]:
    """All changes, or `most` of them in an order drawn from the profile's own numbers."""
    if most is None:
        return list(changes)
    found = list(islice(changes, 2000))
    if len(found) <= most:
        return found
    seed = zlib.crc32(profile.ranks.tobytes() + profile.weights.tobytes())
    chosen = np.random.default_rng(seed).choice(len(found), size=most, replace=False)
    return [found[place] for place in chosen.tolist()]
