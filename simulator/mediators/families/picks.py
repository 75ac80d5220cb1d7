"""The outcome of a rule that puts all items into an order by choosing one after another."""

from __future__ import annotations

import numpy as np

from simulator.mediators.base import Mediator
from simulator.mediators.families.choices import Choices
from simulator.outcome import Memory, Outcome, Trace, tiers_of
from simulator.profile import Profile


def picked_outcome(
    mediator: Mediator, profile: Profile, picks: Choices, trace: Trace, k: int, notes: tuple[str, ...], memory: Memory
) -> Outcome:
    """The outcome; items whose order depends on how ties are broken share a tier.

    Args:
        mediator, profile, trace, k, notes, memory: as in `Mediator.mediate` and `Outcome`.
        picks: the choices, of all items.
    """
    ranks = np.empty(profile.m, dtype=np.int64)
    ranks[list(picks.chosen)] = np.searchsorted(picks.cuts, np.arange(profile.m), side="right")
    if picks.lost_at is not None:
        notes += (f"From choice {picks.lost_at} on there are more ways to break ties than were followed.",)
    return Outcome(
        mediator=mediator.label,
        items=profile.items,
        k=k,
        order=picks.chosen,
        tier_indices=tiers_of(ranks, picks.chosen),
        slate_indices=picks.chosen[:k],
        score_values=None,
        trace=trace,
        tied_slates=picks.slates,
        tied_winners=picks.winners,
        complete=picks.complete,
        notes=notes,
        memory=memory,
    )
