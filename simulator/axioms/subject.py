"""A rule that is put to the test: what it decides, or how it fails to decide."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

import numpy as np

from simulator.mediators.base import Mediator
from simulator.outcome import MOST_SLATES, Outcome
from simulator.profile import Profile

MOST_REMEMBERED = 20_000

Choices = frozenset[frozenset[int]]
"""All tied slates, or all tied winners as slates of one item, as item indices."""


class RuleFailed(Exception):
    """A rule raised, or what it returned is no outcome.

    Attributes:
        profile, k: what it was asked about.
        reason: how it failed, in words.
    """

    def __init__(self, profile: Profile, k: int, reason: str) -> None:
        self.profile = profile
        self.k = k
        self.reason = reason
        super().__init__(reason)


class Subject:
    """A mediator whose outcomes are remembered, so that axioms that ask the same do not cost twice.

    Attributes:
        mediator: the rule.
        asked: the profile, k and start (`time.monotonic`) of the question that it is answering now; None between them.
    """

    def __init__(self, mediator: Mediator) -> None:
        self.mediator = mediator
        self.asked: tuple[Profile, int, float] | None = None
        self._known: dict[object, Outcome | RuleFailed] = {}

    def outcome(self, profile: Profile, k: int, priority: Sequence[int] | None = None) -> Outcome:
        """What the rule decides.

        Raises:
            RuleFailed: it raised, or its outcome is none: see `malformed`.
        """
        parts = (profile.ranks, profile.weights, profile.utilities, profile.approvals)
        key = (profile.items, k, tuple(priority or ()), *(None if part is None else part.tobytes() for part in parts))
        if key not in self._known:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            self._known[key] = self._ask(profile, k, priority)
        found = self._known[key]
        if isinstance(found, RuleFailed):
            raise found
        return found

    def outcome_anew(self, profile: Profile, k: int) -> Outcome:
        """What the rule decides when it is asked again.

        Raises:
            RuleFailed: as for `outcome`.
        """
        found = self._ask(profile, k, None)
        if isinstance(found, RuleFailed):
            raise found
        return found

    def choices(self, profile: Profile, k: int) -> Choices | None:
        """All tied slates of size k, or all tied winners for k = 1; None if they are not all listed."""
        outcome = self.outcome(profile, k)
        if k == 1:
            return frozenset(frozenset((item,)) for item in winners(outcome)) if outcome.complete else None
        return slates(outcome)

    def _ask(self, profile: Profile, k: int, priority: Sequence[int] | None) -> Outcome | RuleFailed:
        self.asked = (profile, k, monotonic())
        try:
            outcome = self.mediator.mediate(profile, k=k, priority=priority)
            fault = malformed(outcome, profile, k)
        except (Exception, SystemExit) as error:  # a user's rule can fail in any way
            fault = f"it raises {type(error).__name__}: {error}{_where(error)}"
        finally:
            self.asked = None
        return outcome if fault is None else RuleFailed(profile, k, fault)


def winners(outcome: Outcome) -> tuple[int, ...]:
    """All tied first items as indices."""
    return outcome.tier_indices[0] if outcome.tied_winners is None else outcome.tied_winners


def slates(outcome: Outcome) -> Choices | None:
    """All tied slates as sets of indices; None if they are not all listed."""
    found = outcome.slates
    if found is None or not outcome.complete:
        return None
    index = {name: place for place, name in enumerate(outcome.items)}
    return frozenset(frozenset(index[name] for name in slate) for slate in found)


def malformed(outcome: object, profile: Profile, k: int) -> str | None:
    """What makes an outcome none at all: a missing item, a number that is none, a slate of another size."""
    if not isinstance(outcome, Outcome):
        return f"it returns {_shown(outcome)}, which is no Outcome"
    m = profile.m
    if outcome.items != profile.items:
        return f"its outcome is about the items {_shown(outcome.items)}"
    if sorted(outcome.order) != list(range(m)):
        return f"its order {_shown(outcome.order)} does not hold every item once"
    if [item for tier in outcome.tier_indices for item in tier] != list(outcome.order) or not all(outcome.tier_indices):
        return f"its tiers {_shown(outcome.tier_indices)} are not its order {_shown(outcome.order)} cut into pieces"
    if outcome.k != k or len(outcome.slate_indices) != k or not set(outcome.slate_indices) <= set(range(m)):
        return f"its slate {_shown(outcome.slate_indices)} does not hold k = {k} different items"
    scores = outcome.score_values
    if scores is not None and (np.shape(scores) != (m,) or np.isnan(scores).any()):
        return f"its scores {_shown(scores)} are not one number for each of {m} items"
    first = winners(outcome)
    if not first or len(set(first)) < len(first) or not set(first) <= set(range(m)):
        return f"its winners {_shown(first)} are no items, each once"
    if outcome.tied_slates is not None:
        if not outcome.tied_slates or len(outcome.tied_slates) > MOST_SLATES:
            return f"it lists {len(outcome.tied_slates)} slates; it must be 1 to {MOST_SLATES}"
        for slate in outcome.tied_slates:  # a rule that buys items may leave places empty
            if len(slate) > k or len(set(slate)) < len(slate) or not set(slate) <= set(range(m)):
                return f"its slate {_shown(slate)} does not hold at most k = {k} different items"
    return None


def _shown(value: object) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else f"{text[:77]}..."


def _where(error: BaseException) -> str:
    """The place in the code that raised."""
    frames = traceback.extract_tb(error.__traceback__)[1:]
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
