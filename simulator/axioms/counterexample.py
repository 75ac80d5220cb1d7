"""A profile on which a rule breaks an axiom, and how to tell people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulator.axioms.ballots import kind_of
from simulator.inputs.preflib.write import ballot_tiers
from simulator.inputs.profile_json import ballots_json
from simulator.outcome import Outcome
from simulator.profile import Profile


@dataclass(frozen=True)
class Counterexample:
    """How an axiom fails.

    Attributes:
        axiom: its name.
        k: the slate's size.
        before: the profile.
        outcome: what the rule decides on it; None if it does not decide.
        after: the changed profile, for axioms about two of them.
        outcome_after: what the rule decides then.
        sentence: what is wrong, in words.
    """

    axiom: str
    k: int
    before: Profile
    outcome: Outcome | None
    sentence: str
    after: Profile | None = None
    outcome_after: Outcome | None = None

    def lines(self) -> list[str]:
        """The counterexample in words, one ballot a line."""
        told = [self.sentence]
        shown = [("ballots", self.before, self.outcome), ("changed", self.after, self.outcome_after)]
        for title, profile, outcome in shown:
            if profile is None or (title == "changed" and profile is self.before and outcome is None):
                continue
            titles = [title, *[""] * profile.n]
            told += [f"{head:<8} {line}" for head, line in zip(titles, ballot_lines(profile) or ["none"], strict=False)]
            if outcome is not None:
                told.append(f"{'':<8} -> {decided(outcome)}")
        return told

    def to_json(self) -> dict[str, Any]:
        """The counterexample as one JSON-able object; its profiles are of the form of JSON profile files."""
        shown: dict[str, Any] = {"axiom": self.axiom, "k": self.k, "sentence": self.sentence}
        for key, profile, outcome in (
            ("before", self.before, self.outcome),
            ("after", self.after, self.outcome_after),
        ):
            if profile is not None:
                shown[key] = {
                    "profile": {"items": list(profile.items), "ballots": ballots_json(profile)},
                    "outcome": None if outcome is None else outcome.to_json(),
                }
        return shown


def ballot_lines(profile: Profile) -> list[str]:
    """Every ballot in words, such as `2 x a > b = c`."""
    return [f"{weight:g} x {ballot_words(profile, voter)}" for voter, weight in enumerate(profile.weights.tolist())]


def ballot_words(profile: Profile, voter: int) -> str:
    """One ballot in words: `a > b = c`, `approves a, b` or `a 0.5, b 1`."""
    items = profile.items
    kind = kind_of(profile)
    if kind == "utility":
        assert profile.utilities is not None, "of this kind"
        return ", ".join(f"{item} {worth:g}" for item, worth in zip(items, profile.utilities[voter], strict=True))
    if kind == "approval":
        assert profile.approvals is not None, "of this kind"
        return f"approves {named(items, np.flatnonzero(profile.approvals[voter]).tolist()) or 'nothing'}"
    tiers = ballot_tiers(profile.ranks[voter].tolist())
    words = " > ".join(" = ".join(items[item] for item in tier) for tier in tiers)
    rest = [item for item in range(profile.m) if profile.ranks[voter, item] == profile.m]
    if not tiers:
        return "ranks nothing"
    return f"{words} (leaves out {named(items, rest)})" if rest else words


def decided(outcome: Outcome) -> str:
    """What an outcome decides, in words: the tied winners, or the tied slates."""
    if outcome.k == 1:
        return f"{', '.join(outcome.winners)} {'wins' if len(outcome.winners) == 1 else 'win, tied'}"
    slates = sorted(", ".join(sorted(slate)) for slate in outcome.slates or ())
    shown = " or ".join(f"{{{slate}}}" for slate in slates[:6])
    return f"delivers {shown}{' or ...' if len(slates) > 6 else ''}" if slates else "delivers too many slates to list"


def named(items: Sequence[str], indices: Sequence[int]) -> str:
    """Items by their names, with commas."""
    return ", ".join(items[item] for item in indices)
