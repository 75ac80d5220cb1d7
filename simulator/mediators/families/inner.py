"""A rule inside a rule: one that is asked at other weights than the ballots' own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from simulator.mediators.base import Mediator
from simulator.profile import LARGEST, SMALLEST_WEIGHT, Floats, Profile
from simulator.registry import create


def inner_rule(owner: str, spec: str) -> Mediator:
    """The mediator that `spec` names, such as borda or `copeland(alpha=1)`.

    Raises:
        ValueError: there is none, or it cannot use weights.
    """
    rule: Mediator = create("mediator", spec)
    if not rule.uses_weights:
        raise ValueError(f"{rule.name} cannot use the weights of ballots, which is all that {owner} changes")
    return rule


def effective(profile: Profile, weights: Floats | None) -> Profile:
    """The profile at other weights; weights that no arithmetic could bear are brought into bounds."""
    if weights is None:
        return profile
    return replace(profile, weights=np.where(weights > 0, np.clip(weights, SMALLEST_WEIGHT, LARGEST), 0.0))


def take_after(outer: Mediator, inner: Mediator) -> None:
    """What the outer rule reads, whether it draws and how it grows are the inner rule's."""
    for trait in ("needs", "lottery", "cost"):
        object.__setattr__(outer, trait, getattr(inner, trait))  # this instance's own: the class is frozen
